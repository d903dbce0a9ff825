package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.conformance.ConformanceReport;
import dev.paddock.executor.tck.conformance.Inspection;
import dev.paddock.executor.tck.conformance.Inspection.Finding;
import dev.paddock.executor.tck.conformance.Observation;
import dev.paddock.executor.tck.conformance.PolicyCase;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import dev.paddock.executor.tck.conformance.PolicyCases;
import dev.paddock.executor.tck.conformance.PolicyFixture;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks one column of the conformance matrix: asks a backend to enforce each of the {@linkplain
 * PolicyCases policy cases}. Either it creates an executor, and then every expectation of the case is
 * met, or it throws {@link UnsupportedPolicyException} naming the parts of the policy that it
 * cannot enforce. A backend that accepts a policy and enforces it only partly fails.
 *
 * <p>An implementer extends this class and implements one method. The column is written to {@code
 * target/conformance/<backend>.md}, and compared with a {@linkplain #document() document} if there
 * is one.
 *
 * @since 0.1
 */
@Tag("contract")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ConformanceContract {
    private ConformanceReport column = new ConformanceReport("");

    /** Called by the implementer's class. */
    protected ConformanceContract() {}

    /**
     * Returns the backend.
     *
     * @return its provider
     */
    protected abstract ExecutorProvider provider();

    /**
     * Returns the settings for its executors. None by default.
     *
     * @return the settings
     */
    protected Map<String, String> settings() {
        return Map.of();
    }

    /**
     * Returns a document with the expected result of each case, as {@link
     * ConformanceReport#differencesFrom} reads it. None by default.
     *
     * @return a Markdown file
     */
    protected Optional<Path> document() {
        return Optional.empty();
    }

    @BeforeAll
    final void startColumn() {
        column = new ConformanceReport(provider().name());
    }

    /**
     * Skips the ordinary user's run: it only checks enforcement, and the files belong to the user
     * who builds.
     */
    @AfterAll
    final void writeColumn() throws IOException {
        if (OrdinaryUser.isAgain()) {
            return;
        }
        Path directory = Files.createDirectories(Path.of("target", "conformance"));
        Files.writeString(directory.resolve(provider().name() + ".md"), column.table());
    }

    static Stream<PolicyCase> cases() {
        return (OrdinaryUser.isAgain() ? PolicyCases.ofEachMechanism() : PolicyCases.all()).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Order(1)
    final void C14_policyIsEnforcedOrRefused(PolicyCase policyCase) throws Exception {
        try (PolicyFixture fixture = PolicyFixture.create()) {
            Prepared prepared = policyCase.preparation().on(fixture);
            try (CommandExecutor executor = provider().create(prepared.policy(), settings())) {
                column.enforced(policyCase, inspect(executor, prepared, fixture));
            } catch (UnsupportedPolicyException refused) {
                assertThat(refused.unsupported())
                        .as("the parts of the policy that the refusal names")
                        .isNotEmpty()
                        .allSatisfy(phrase -> assertThat(parts(prepared.policy()))
                                .as("one of the policy's parts is named in '%s'", phrase)
                                .anyMatch(phrase::contains));
                column.refused(policyCase, refused.unsupported());
            }
        }
    }

    @Test
    @Order(2)
    final void columnIsAsDocumented() throws IOException {
        Optional<Path> document = document();
        if (document.isPresent() && !OrdinaryUser.isAgain()) {
            assertThat(column.differencesFrom(document.get()))
                    .as("differences between %s and the observations", document.get())
                    .isEmpty();
        }
    }

    private static String inspect(CommandExecutor executor, Prepared prepared, PolicyFixture fixture) throws Exception {
        Inspection inspection =
                new Inspection(executor, prepared.policy().worktree().commandPath(), fixture);
        List<String> broken = new ArrayList<>();
        Set<Guarantee> lacking = new TreeSet<>();
        boolean restored = false;
        List<Observation> required = new ArrayList<>();
        for (Observation observation : prepared.observations()) {
            Optional<Guarantee> unclaimed = observation
                    .guarantee()
                    .filter(guarantee -> !observation.insisted())
                    .filter(guarantee -> !executor.guarantees().contains(guarantee));
            if (unclaimed.isPresent()) {
                lacking.add(unclaimed.get());
            } else {
                required.add(observation);
            }
        }
        for (List<Observation> together : Inspection.byCommand(required)) {
            try {
                List<Finding> findings = inspection.of(together);
                for (int i = 0; i < findings.size(); i++) {
                    switch (findings.get(i)) {
                        case Finding.Held held -> {}
                        case Finding.Restored late -> restored |= isThere(together.get(i));
                        case Finding.Broken found -> broken.add(found.seen());
                    }
                }
            } catch (SpawnException none) {
                broken.add(together.getFirst() + ", but no command starts in the worktree: " + none.getMessage());
                break;
            }
        }
        assertThat(broken).as("expectations of the policy that are not met").isEmpty();
        return ConformanceReport.ENFORCED
                + (restored ? ", restored afterwards" : "")
                + lacking.stream()
                        .map(Guarantee::name)
                        .reduce((one, other) -> one + ", " + other)
                        .map(names -> " but for " + names)
                        .orElse("");
    }

    /**
     * Returns whether the target existed before: every backend moves new files away afterwards but
     * can prevent changes only to existing ones.
     */
    private static boolean isThere(Observation observation) {
        return observation.host().filter(Files::exists).isPresent();
    }

    /** Returns the parts of a policy that a refusal can name. */
    private static List<String> parts(SandboxPolicy policy) {
        List<String> parts = new ArrayList<>();
        if (!policy.worktree().isSame()) {
            parts.add(policy.worktree().commandPath());
        }
        policy.mounts().forEach(mount -> parts.addAll(List.of(mount.source().toString(), mount.target())));
        parts.addAll(policy.hidden());
        switch (policy.network()) {
            case NetworkPolicy.Open open -> {}
            case NetworkPolicy.Off off -> parts.add("network");
            case NetworkPolicy.Allow allow -> parts.addAll(allow.hosts());
        }
        if (!policy.unixSockets()) {
            parts.add("unix sockets");
        }
        if (policy.protectedPaths().demand() == Enforcement.REQUIRED) {
            parts.add("protected paths");
        }
        if (policy.limits().demand() == Enforcement.REQUIRED) {
            policy.limits().memoryBytes().ifPresent(bytes -> parts.add(Long.toString(bytes)));
            policy.limits().cpus().ifPresent(number -> parts.add(Double.toString(number)));
            policy.limits().processes().ifPresent(number -> parts.add(Integer.toString(number)));
            policy.limits().fileSizeBytes().ifPresent(bytes -> parts.add(Long.toString(bytes)));
        }
        return parts;
    }
}
