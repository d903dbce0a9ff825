package dev.paddock.executor.seatbelt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.state.PrivateState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the executor around the profile, with a stand-in for {@code sandbox-exec} that confines
 * nothing and reports its own arguments and environment.
 */
class SeatbeltExecutorTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Path worktree;

    @BeforeEach
    void prepare() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    private record Said(ExitStatus status, String text, List<String> notices) {}

    private SeatbeltExecutor executor(UnaryOperator<SandboxPolicy.Builder> policy) throws IOException {
        return executor(policy, StandIn.TELLING, 2);
    }

    private SeatbeltExecutor executor(UnaryOperator<SandboxPolicy.Builder> policy, String script, int slots)
            throws IOException {
        SeatbeltExecutor made = SeatbeltExecutor.builder()
                .policy(policy.apply(SandboxPolicy.builder(PathMapping.same(worktree)))
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(slots)
                .with(StandIn.in(directory, script))
                .build();
        opened.add(made);
        return made;
    }

    private Said run(SeatbeltExecutor executor, String command) throws Exception {
        return run(executor, command, Map.of());
    }

    private Said run(SeatbeltExecutor executor, String command, Map<String, String> env) throws Exception {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .env(env)
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        String text = new String(process.stdout().readAllBytes(), UTF_8);
        return new Said(
                process.onExit().toCompletableFuture().get(1, TimeUnit.MINUTES),
                text,
                process.onClosed()
                        .toCompletableFuture()
                        .get(1, TimeUnit.MINUTES)
                        .notices());
    }

    @Test
    void profileIsPassedAsOneArgument() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy);
        for (int times = 0; times < 3; times++) {
            assertThat(run(executor, "printf %s \"$TOLD_PROFILE\"").text())
                    .isEqualTo(executor.profile().text());
        }
        assertThat(run(executor, "find ~ \"$TMPDIR\" -type f").text())
                .as("nothing of it is stored where a command writes")
                .isEmpty();
    }

    @Test
    void neitherCommandNorVariablesPassThroughTheProgram() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy.environment(policy.build()
                .environment()
                .with("OF_THE_POLICY", "first-secret")
                .with("DYLD_INSERT_LIBRARIES", "/x")));
        Said said = run(
                executor,
                "echo \"$OF_THE_POLICY $OF_THE_COMMAND $DYLD_INSERT_LIBRARIES\"; echo \"$TOLD_ENV\"; echo \"$TOLD_ARGUMENTS\"",
                Map.of("OF_THE_COMMAND", "second-secret"));
        assertThat(said.text()).startsWith("first-secret second-secret /x\n");
        String told = said.text().substring(said.text().indexOf('\n'));
        assertThat(told).contains("HOME=").doesNotContain("secret", "DYLD", "TOLD_ENV\"");
    }

    /**
     * A repository that exists now is protected in the next command's profile, whether it runs in a
     * warm slot or not.
     */
    @Test
    void warmSlotsProfileIsRefreshedWhenTheWorktreeChanges() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy);
        assertThat(run(executor, "printf %s \"$TOLD_PROFILE\"").text()).doesNotContain("new/.git");
        run(executor, "mkdir -p new/.git/hooks");
        assertThat(run(executor, "printf %s \"$TOLD_PROFILE\"").text()).contains("new/.git/hooks\"");
    }

    @Test
    void symbolicLinkToTheWorktreeIsResolved() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), worktree);
        SeatbeltExecutor executor = SeatbeltExecutor.builder()
                .worktree(link)
                .with(StandIn.in(directory))
                .build();
        opened.add(executor);
        ProfileEvaluator profile = new ProfileEvaluator(executor.profile().text());
        assertThat(profile.allows(Action.make(worktree + "/x"))).isTrue();
        assertThat(profile.allows(Action.make(link + "/x"))).isFalse();
        assertThat(profile.allows(Action.look(link.toString()))).isTrue();
    }

    @Test
    void C17_homeEndsWithTheExecutor() throws Exception {
        SeatbeltExecutor executor = executor(policy -> policy);
        Path home = Path.of(run(executor, "mkdir ~/closed; : > ~/closed/x; chmod 500 ~/closed; echo $HOME")
                .text()
                .strip());
        assertThat(run(executor, "echo ${TMPDIR#$HOME}; mktemp").text()).startsWith("/tmp\n" + home);
        executor.dispose();
        assertThat(home.getParent()).doesNotExist();
    }

    @Test
    void aFileIsNoLargerThanTheLimit() throws Exception {
        SeatbeltExecutor executor =
                executor(policy -> policy.limits(ResourceLimits.none().withFileSize(10_240)));
        assertThat(run(executor, "head -c 10240 /dev/zero > fits").status().success())
                .isTrue();
        assertThat(run(executor, "head -c 10241 /dev/zero > larger").status().success())
                .isFalse();
        assertThat(worktree.resolve("larger")).hasSize(10_240);
    }

    /** The guard restores a path that the profile should have protected. */
    @Test
    void guardRestoresProtectedPathsBehindTheProfile() throws Exception {
        Files.writeString(worktree.resolve(".envrc"), "mine");
        Said said = run(executor(policy -> policy), "echo theirs > .envrc; echo x > .mcp.json; echo x > plain");
        assertThat(said.notices()).hasSize(2);
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
        assertThat(worktree.resolve(".mcp.json")).doesNotExist();
        assertThat(worktree.resolve("plain")).exists();
    }

    // Failures

    @Test
    void C14_whatTheProgramSaysIsTold() throws Exception {
        SeatbeltExecutor executor = executor(
                policy -> policy,
                "#!/bin/sh\necho 'sandbox-exec: unbound variable: file-frobnicate' >&2\nexit 65\n",
                0);
        assertThatThrownBy(() -> executor.spawn(": > ran", SpawnOptions.in(worktree.toString())))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, refusal -> {
                    assertThat(refusal.reason()).contains("unbound variable: file-frobnicate");
                    assertThat(refusal.remedy()).contains("has not been run on macOS");
                });
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void otherOperatingSystemsAreRefusedWithAReason() {
        MacSandbox elsewhere = new MacSandbox("Linux", "/usr/bin/sandbox-exec");
        assertThatThrownBy(() -> SeatbeltExecutor.builder()
                        .worktree(worktree)
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
    void missingSandboxExecIsRefusedWithAReason() {
        Availability answer = new SeatbeltProvider(new MacSandbox("Mac OS X", directory + "/absent")).probe();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("absent, which macOS brings"));
    }

    @Test
    void sandboxThatConfinesNothingIsRefused() throws Exception {
        Availability answer = new SeatbeltProvider(StandIn.in(directory)).probe();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).startsWith("the sandbox confines nothing"));
    }

    @Test
    void autoSelectsSeatbeltOnMacos() throws Exception {
        SeatbeltProvider provider = new SeatbeltProvider(StandIn.in(directory));
        assertThat(provider.autoPriority(Map.of())).isPresent();
        assertThat(provider.autoPriority(Map.of("image", "x"))).isEmpty();
    }

    @Test
    void whatMakesTooLongAProfileIsRefused() throws IOException {
        ProtectedPaths many = new ProtectedPaths(
                IntStream.range(0, 3000)
                        .mapToObj(number -> "a-file-with-quite-a-long-name-" + number)
                        .collect(Collectors.toSet()),
                Enforcement.REQUIRED);
        assertThatThrownBy(() -> executor(policy -> policy.protectedPaths(many)))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("protected paths: they make a profile of");
        assertThat(PrivateState.root())
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("seatbelt-"));
    }

    @Test
    void paddocksOwnDirectoriesAreNotGranted() throws IOException {
        Path state = PrivateState.root();
        assertThatThrownBy(() -> executor(policy -> policy.mount(new Mount(
                        state.resolveSibling(""), state.resolveSibling("").toString(), Mount.Access.READ_ONLY))))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("cannot mount '" + state.resolveSibling("")
                        + "': it contains Paddock's own state directory '" + state + "'");
        Path beside = Files.createDirectory(directory.toRealPath().resolve("beside"));
        executor(policy -> policy.mount(new Mount(beside, beside.toString(), Mount.Access.READ_ONLY)));
    }

    @Test
    void anotherExecCwdIsRefused() throws Exception {
        SeatbeltExecutor.Builder builder =
                SeatbeltExecutor.builder().with(StandIn.in(directory)).execCwd("/work");
        assertThatThrownBy(() -> builder.worktree(worktree).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("'/work'");
    }

    @Test
    void execCwdAndAPolicyAreRefused() throws Exception {
        SeatbeltExecutor.Builder builder = SeatbeltExecutor.builder()
                .with(StandIn.in(directory))
                .policy(SandboxPolicy.builder(PathMapping.same(worktree)).build());
        assertThatThrownBy(() -> builder.execCwd(worktree.toString()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("execCwd");
    }

    @Test
    void settingsAreItsOwn() {
        assertThatThrownBy(() -> new SeatbeltProvider()
                        .create(
                                SandboxPolicy.builder(PathMapping.same(worktree))
                                        .build(),
                                Map.of("image", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("image");
    }
}
