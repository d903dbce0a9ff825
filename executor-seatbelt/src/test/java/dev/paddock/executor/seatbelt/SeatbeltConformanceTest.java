package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.tck.conformance.ConformanceReport;
import dev.paddock.executor.tck.conformance.Expectation;
import dev.paddock.executor.tck.conformance.Observation;
import dev.paddock.executor.tck.conformance.PolicyCase;
import dev.paddock.executor.tck.conformance.PolicyCases;
import dev.paddock.executor.tck.conformance.PolicyFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Produces Seatbelt's column of the conformance matrix, with the same policies and observations as
 * for the other backends. The evaluator derives the results from the profile that the executor
 * would run the command under. A file's size and the environment, which no profile covers, are
 * tested with a stand-in for {@code sandbox-exec}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeatbeltConformanceTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "conformance.md");

    /** Asks the proxy of the environment, if there is one, for a tunnel. */
    private static final String THROUGH_PROXY = "bash -c 'p=${http_proxy#http://}; exec 3<>/dev/tcp/${p%:*}/${p#*:}"
            + " && printf \"CONNECT %s HTTP/1.1\\r\\n\\r\\n\" $1 >&3; read -r _ code _ <&3; [ $code = 200 ]' bash ";

    private final ConformanceReport column = new ConformanceReport(SeatbeltExecutor.NAME);

    @TempDir
    private Path directory;

    static Stream<PolicyCase> cases() {
        return PolicyCases.all().stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Order(1)
    void C14_policyIsEnforcedOrRefused(PolicyCase policyCase) throws Exception {
        try (PolicyFixture fixture = PolicyFixture.create()) {
            PolicyCase.Prepared prepared = policyCase.preparation().on(fixture);
            boolean hasProxy = prepared.policy().network() instanceof NetworkPolicy.Allow;
            assumeTrue(!hasProxy || StandIn.canEnforceConnecting(), "this kernel's Landlock confines no connections");
            try (SeatbeltExecutor executor = SeatbeltExecutor.builder()
                    .policy(prepared.policy())
                    .quarantine(directory.resolve("quarantine"))
                    .warmSlots(0)
                    .with(StandIn.in(directory, hasProxy ? StandIn.CONNECTING : StandIn.REPORTING))
                    .build()) {
                column.enforced(policyCase, judge(executor, prepared));
            } catch (UnsupportedPolicyException refused) {
                assertThat(refused.unsupported()).isNotEmpty();
                column.refused(policyCase, refused.unsupported());
            }
        }
    }

    @Test
    @Order(2)
    void columnIsAsDocumented() throws Exception {
        assumeTrue(StandIn.canEnforceConnecting(), "not all of the column could be observed");
        assertThat(column.differencesFrom(DOCUMENT))
                .as("where %s is not what the profiles mean", DOCUMENT)
                .isEmpty();
        Files.writeString(
                Files.createDirectories(Path.of("target", "conformance")).resolve("seatbelt.md"), column.table());
    }

    private static String judge(SeatbeltExecutor executor, PolicyCase.Prepared prepared) throws Exception {
        Path worktree = prepared.policy().worktree().hostPath();
        ProfileEvaluator profile = new ProfileEvaluator(executor.profile().text());
        List<String> broken = new ArrayList<>();
        Set<Guarantee> lacking = new TreeSet<>();
        for (Observation observation : prepared.observations()) {
            Optional<Guarantee> unclaimed = observation
                    .guarantee()
                    .filter(guarantee -> !observation.insisted())
                    .filter(guarantee -> !executor.guarantees().contains(guarantee));
            if (unclaimed.isPresent()) {
                lacking.add(unclaimed.get());
            } else if (succeeds(executor, profile, worktree, observation)
                    != (observation.expectation() == Expectation.ALLOWED)) {
                broken.add(observation.toString());
            }
        }
        assertThat(broken)
                .as("what the policy says and the profile does not mean")
                .isEmpty();
        return lacking.isEmpty()
                ? "enforced"
                : "enforced but for " + lacking.stream().map(Guarantee::name).collect(Collectors.joining(", "));
    }

    private static boolean succeeds(
            SeatbeltExecutor executor, ProfileEvaluator profile, Path worktree, Observation observation)
            throws Exception {
        String target = observation.host().map(Path::toString).orElse(observation.target());
        return switch (observation.operation()) {
            case READ -> profile.allows(Action.read(target));
            case LIST -> profile.allows(Action.read(target));
            case FOLLOW -> profile.allows(Action.make(worktree + "/followed")) && profile.allows(Action.read(target));
            case LINK -> profile.allows(Action.link(target, worktree + "/linked"));
            case WRITE, OPEN -> profile.allows(Action.write(target));
            case CREATE, MAKE_DIRECTORY -> profile.allows(Action.make(target));
            case RENAME -> profile.allows(Action.rename(target, target + ".renamed"));
            case REMOVE -> profile.allows(Action.remove(target));
            case COMMIT -> commits(profile, worktree);
            case CONNECT_TCP ->
                profile.allows(Action.connect(target)) || runs(executor, worktree, THROUGH_PROXY + target);
            case SEND_UDP -> profile.allows(Action.connect(target));
            case CONNECT_UNIX, CONNECT_ABSTRACT -> profile.allows(Action.connectTo(target));
            case WRITE_BYTES -> runs(executor, worktree, "head -c " + target + " /dev/zero > large");
            case FIND_VARIABLE -> {
                int equals = target.indexOf('=');
                yield runs(
                        executor,
                        worktree,
                        "[ \"$" + target.substring(0, equals) + "\" = '"
                                + target.substring(equals + 1).replace("'", "'\\''") + "' ]");
            }
            // macOS limits none of these: in both directions the policy must be rejected, or be
            // best effort.
            case USE_MEMORY, USE_CPU, START_PROCESSES -> true;
        };
    }

    /**
     * Returns whether the profile allows the operations of a git commit on a worktree and on the
     * directories behind its {@code .git} file.
     */
    private static boolean commits(ProfileEvaluator profile, Path worktree) throws IOException {
        String pointer = Files.readString(worktree.resolve(".git"));
        Path own = Path.of(pointer.substring("gitdir:".length()).strip());
        Path common =
                own.resolve(Files.readString(own.resolve("commondir")).strip()).normalize();
        return Stream.of(
                        Action.make(worktree + "/committed"),
                        Action.read(common + "/config"),
                        Action.make(own + "/index.lock"),
                        Action.rename(own + "/index.lock", own + "/index"),
                        Action.make(own + "/COMMIT_EDITMSG"),
                        Action.make(own + "/logs/HEAD"),
                        Action.make(common + "/objects/aa"),
                        Action.make(common + "/objects/aa/tmp"),
                        Action.link(common + "/objects/aa/tmp", common + "/objects/aa/bb"),
                        Action.remove(common + "/objects/aa/tmp"),
                        Action.make(common + "/refs/heads/linked.lock"),
                        Action.rename(common + "/refs/heads/linked.lock", common + "/refs/heads/linked"))
                .allMatch(profile::allows);
    }

    private static boolean runs(SeatbeltExecutor executor, Path worktree, String command) throws Exception {
        ExitStatus status = executor.spawn(command, SpawnOptions.in(worktree.toString()))
                .onExit()
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
        return status.isSuccess();
    }
}
