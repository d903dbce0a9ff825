package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.local.UnmappedSandboxContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests the executor around the profile, with a stand-in for {@code sandbox-exec} that confines
 * nothing and reports its own arguments and environment.
 */
class SeatbeltExecutorTest extends UnmappedSandboxContract<SeatbeltExecutor> {

    @Override
    protected SeatbeltExecutor create(SandboxPolicy policy) throws IOException {
        return builder().policy(policy).build();
    }

    private SeatbeltExecutor.Builder builder() throws IOException {
        return SeatbeltExecutor.builder()
                .quarantine(directory().resolve("quarantine"))
                .with(StandIn.in(directory()));
    }

    @Test
    void profileIsPassedAsOneArgument() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy);
        for (int times = 0; times < 3; times++) {
            assertThat(run(executor, "printf %s \"$SEEN_PROFILE\"").text())
                    .isEqualTo(executor.profile().text());
        }
        assertThat(run(executor, "find ~ \"$TMPDIR\" -type f").text())
                .as("nothing of it is stored where a command writes")
                .isEmpty();
    }

    @Test
    void neitherCommandNorVariablesPassThroughProgram() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy.environment(policy.build()
                .environment()
                .with("OF_THE_POLICY", "first-secret")
                .with("DYLD_INSERT_LIBRARIES", "/x")));
        Result result = run(
                executor,
                "echo \"$OF_THE_POLICY $OF_THE_COMMAND $DYLD_INSERT_LIBRARIES\"; echo \"$SEEN_ENV\"; echo \"$SEEN_ARGUMENTS\"",
                Map.of("OF_THE_COMMAND", "second-secret"));
        assertThat(result.text()).startsWith("first-secret second-secret /x\n");
        String seen = result.text().substring(result.text().indexOf('\n'));
        assertThat(seen).contains("HOME=").doesNotContain("secret", "DYLD", "SEEN_ENV\"");
    }

    /**
     * A repository that exists now is protected in the next command's profile, whether it runs in a
     * warm slot or not.
     */
    @Test
    void warmSlotsProfileIsRefreshedWhenWorktreeChanges() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy);
        assertThat(run(executor, "printf %s \"$SEEN_PROFILE\"").text()).doesNotContain("new/.git");
        run(executor, "mkdir -p new/.git/hooks");
        assertThat(run(executor, "printf %s \"$SEEN_PROFILE\"").text()).contains("new/.git/hooks\"");
    }

    @Test
    void symbolicLinkToWorktreeIsResolved() throws Exception {
        Path link = Files.createSymbolicLink(directory().resolve("link"), worktree());
        SeatbeltExecutor executor = closedLater(builder().worktree(link).build());
        ProfileEvaluator profile = new ProfileEvaluator(executor.profile().text());
        assertThat(profile.allows(Action.make(worktree() + "/x"))).isTrue();
        assertThat(profile.allows(Action.make(link + "/x"))).isFalse();
        assertThat(profile.allows(Action.look(link.toString()))).isTrue();
    }

    // Failures

    @Test
    void C14_programsErrorMessageIsReported() throws Exception {
        SeatbeltExecutor executor = closedLater(SeatbeltExecutor.builder()
                .worktree(worktree())
                .warmSlots(0)
                .with(StandIn.in(
                        directory(),
                        "#!/bin/sh\necho 'sandbox-exec: unbound variable: file-frobnicate' >&2\nexit 65\n"))
                .build());
        assertThatThrownBy(() ->
                        executor.spawn(": > ran", SpawnOptions.in(worktree().toString())))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, refusal -> {
                    assertThat(refusal.reason()).contains("unbound variable: file-frobnicate");
                    assertThat(refusal.remedy()).contains("has not been run on macOS");
                });
        assertThat(worktree().resolve("ran")).doesNotExist();
    }

    @Test
    void otherOperatingSystemsAreRefusedWithReason() {
        MacSandbox elsewhere = new MacSandbox("Linux", "/usr/bin/sandbox-exec");
        assertThatThrownBy(() -> SeatbeltExecutor.builder()
                        .worktree(worktree())
                        .with(elsewhere)
                        .build())
                .isInstanceOfSatisfying(SandboxUnavailableException.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo("this is no macOS but Linux");
                    assertThat(refusal.remedy()).contains("landlock");
                });
        assertThat(new SeatbeltProvider(elsewhere).probe()).isInstanceOf(Availability.Unusable.class);
        assertThat(new SeatbeltProvider(elsewhere).autoPriority(Map.of())).isEmpty();
    }

    @Test
    void missingSandboxExecIsRefusedWithReason() {
        Availability answer = new SeatbeltProvider(new MacSandbox("Mac OS X", directory() + "/absent")).probe();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("absent, which macOS brings"));
    }

    @Test
    void sandboxThatConfinesNothingIsRefused() throws Exception {
        Availability answer = new SeatbeltProvider(StandIn.in(directory())).probe();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).startsWith("the sandbox confines nothing"));
    }

    @Test
    void autoSelectsSeatbeltOnMacos() throws Exception {
        SeatbeltProvider provider = new SeatbeltProvider(StandIn.in(directory()));
        assertThat(provider.autoPriority(Map.of())).isPresent();
        assertThat(provider.autoPriority(Map.of("image", "x"))).isEmpty();
    }

    @Test
    void policyThatMakesTooLongProfileIsRefused() throws IOException {
        ProtectedPaths many = ProtectedPaths.of(
                IntStream.range(0, 3000)
                        .mapToObj(number -> "a-file-with-quite-a-long-name-" + number)
                        .collect(Collectors.toSet()),
                Enforcement.REQUIRED);
        assertThatThrownBy(() -> executor(policy -> policy.protectedPaths(many)))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("protected paths: they make a profile of");
        assertThat(PrivateState.root()).isDirectoryNotContaining(SeatbeltExecutorTest::isOfThisJvm);
    }

    /** The tests' other JVM has its executors' directories beside. */
    private static boolean isOfThisJvm(Path state) {
        try {
            return Files.readString(state.resolve("owner"))
                    .equals(OwnerId.current().toString());
        } catch (IOException removedMeanwhile) {
            return false;
        }
    }

    @Test
    void anotherExecCwdIsRefused() throws Exception {
        SeatbeltExecutor.Builder builder =
                SeatbeltExecutor.builder().with(StandIn.in(directory())).execCwd("/work");
        assertThatThrownBy(() -> builder.worktree(worktree()).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("'/work'");
    }

    @Test
    void execCwdAndPolicyAreRefused() throws Exception {
        SeatbeltExecutor.Builder builder = SeatbeltExecutor.builder()
                .with(StandIn.in(directory()))
                .policy(SandboxPolicy.builder(PathMapping.same(worktree())).build());
        assertThatThrownBy(() -> builder.execCwd(worktree().toString()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("execCwd");
    }

    @Test
    void settingsAreItsOwn() {
        assertThatThrownBy(() -> new SeatbeltProvider()
                        .create(
                                SandboxPolicy.builder(PathMapping.same(worktree()))
                                        .build(),
                                Map.of("image", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("image");
    }
}
