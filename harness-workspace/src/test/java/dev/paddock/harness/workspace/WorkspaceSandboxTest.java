package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sandbox of a workspace: which one it is, what it grants, and how its commands end. */
class WorkspaceSandboxTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void place() throws IOException {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
    }

    private static CommandResult run(Workspace workspace, String command) throws InterruptedException {
        return workspace
                .executor()
                .run(command, RunOptions.in(workspace.worktree().commandPath()));
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCKER", "LOCAL_SANDBOX"})
    void networkAndMountsAreThoseOfConfigurationAlsoAfterResolve(Kinds kind) throws Exception {
        Path shown = Files.createDirectory(temporary.resolve("shown"));
        Path shared = Files.createDirectory(temporary.resolve("shared"));
        Files.writeString(shown.resolve("f"), "1");
        DirectoryWorkspaceProvider provider = kind.provider(root);
        Workspace workspace = provider.open(kind.config()
                .mount(new Mount(shown, shown.toString(), Mount.Access.READ_ONLY))
                .mount(new Mount(shared, shared.toString(), Mount.Access.READ_WRITE))
                .build());
        granted(workspace, shown, shared);
        workspace.suspend();
        Workspace again = provider.resolve(workspace.ref());
        granted(again, shown, shared);
        again.close();
        assertThat(shown.resolve("f")).hasContent("1");
        assertThat(shared.resolve("f")).hasContent("2");
    }

    private static void granted(Workspace workspace, Path shown, Path shared) throws Exception {
        assertThat(workspace.executor().guarantees()).contains(Guarantee.NETWORK_OFF, Guarantee.WRITE_CONFINED);
        assertThat(Kinds.run(workspace, "cat " + shown + "/f; echo 2 > " + shared + "/f"))
                .isEqualTo("1");
        assertThat(run(workspace, "echo 3 > " + shown + "/f").succeeded()).isFalse();
        assertThat(run(workspace, "echo 3 > " + shown + "/new").succeeded()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCKER", "LOCAL_SANDBOX"})
    void networkIsOpenIfConfigurationSaysSo(Kinds kind) {
        DirectoryWorkspaceProvider provider = kind.provider(root);
        Workspace workspace =
                provider.open(kind.config().network(NetworkPolicy.open()).build());
        assertThat(workspace.executor().guarantees()).doesNotContain(Guarantee.NETWORK_OFF);
        workspace.suspend();
        Workspace again = provider.resolve(workspace.ref());
        assertThat(again.executor().guarantees()).doesNotContain(Guarantee.NETWORK_OFF);
        again.close();
    }

    @Test
    void whoApprovesHostsIsAskedAlsoAfterResolve() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        DirectoryWorkspaceProvider provider = DirectoryWorkspaceProvider.localSandbox(root)
                .anyCommand()
                .executorOptions(options -> options.approveHosts((host, port) -> !asked.add(host + ":" + port)))
                .build();
        Workspace workspace = provider.open(Kinds.LOCAL_SANDBOX
                .config()
                .network(NetworkPolicy.allow("allowed.example:8080"))
                .build());
        run(workspace, "curl -sS http://one.example:8080/");
        workspace.suspend();
        try (Workspace again = provider.resolve(workspace.ref())) {
            run(again, "curl -sS http://two.example:8080/; curl -sS http://two.example:8081/");
        }
        assertThat(asked).containsExactly("one.example:8080", "two.example:8080");
    }

    @Test
    void containerShowsDirectoryAsWorkspaceAndKeepsNothingElse() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.DOCKER.provider(root);
        Workspace workspace = provider.open(Kinds.DOCKER.config().build());
        assertThat(Kinds.run(workspace, "pwd; echo 1 > kept; echo 1 > /tmp/lost; cat /tmp/lost"))
                .isEqualTo("/workspace\n1\n");
        assertThat(run(workspace, "echo 1 > /etc/written").succeeded()).isFalse();
        workspace.suspend();
        Workspace again = provider.resolve(workspace.ref());
        assertThat(Kinds.run(again, "cat kept; test -e /tmp/lost || echo lost")).isEqualTo("1\nlost\n");
        again.close();
    }

    @Test
    void containersCommandsRunAsDirectorysOwnerAndNotAsOneWhoMayNotEnterIt() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.DOCKER.provider(root);
        try (Workspace workspace = provider.open(Kinds.DOCKER.config().build())) {
            assertThat(Kinds.run(workspace, "id -u; id -g")).isEqualTo(Shell.run(root, "id -u; id -g"));
        }
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.open(
                        Kinds.DOCKER.config().setting("user", "12345:12345").build()))
                .withMessageContaining("may not be entered");
        assertThat(root).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource
    void commandEndsAtItsTimeoutAndAtAbort(Kinds kind) throws Exception {
        try (Workspace workspace = kind.provider(root).open(kind.config().build())) {
            RunOptions options = RunOptions.in(workspace.worktree().commandPath());
            assertThat(workspace
                            .executor()
                            .run("sleep 1000", options.timeout(Duration.ofMillis(200)))
                            .outcome())
                    .isInstanceOf(CommandOutcome.TimedOut.class);
            AbortController controller = new AbortController();
            CommandResult aborted = workspace
                    .executor()
                    .run(
                            "echo begun; sleep 1000",
                            options.signal(controller.signal()).onLine((stream, line) -> controller.abort("enough")));
            assertThat(aborted.outcome()).isInstanceOf(CommandOutcome.Aborted.class);
            assertThat(Kinds.run(workspace, "echo usable")).isEqualTo("usable\n");
        }
    }

    @Test
    void referenceNamesDirectoryAloneAndNoSandbox() {
        try (Workspace workspace = Kinds.LOCAL_SANDBOX
                .provider(root)
                .open(Kinds.LOCAL_SANDBOX.config().build())) {
            assertThat(workspace.ref().payload()).containsOnlyKeys("id", "nonce");
            assertThat(workspace.ref().toJson())
                    .doesNotContain(workspace.executor().name())
                    .doesNotContain(temporary.toString());
        }
    }

    /** A backend under another's name, which can be made unusable. */
    private record Renamed(String name, ExecutorProvider real, int priority, Optional<Availability.Unusable> obstacle)
            implements ExecutorProvider, BackendUpkeep {
        @Override
        public Availability probe() {
            return obstacle.isPresent() ? obstacle.get() : real.probe();
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return OptionalInt.of(priority);
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new ForwardingExecutor(real.create(policy, settings)) {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public boolean isKept(Path path) {
                    return path.endsWith("kept");
                }
            };
        }
    }

    private DirectoryWorkspaceProvider choosing(ExecutorProvider... backends) {
        return Kinds.LOCAL_SANDBOX
                .builder(root)
                .anyCommand()
                .executors(List.of(backends))
                .build();
    }

    private static final Availability.Unusable BROKEN = new Availability.Unusable("it is broken", "Mend it.");

    @Test
    void strongestUsableBackendIsChosenAnewAtEachResolve() throws Exception {
        ExecutorProvider real = ExecutorProviders.named("landlock");
        Renamed strong = new Renamed("bwrap", real, 1, Optional.empty());
        Renamed weak = new Renamed("landlock", real, 2, Optional.empty());
        Renamed host = new Renamed("host", real, 0, Optional.empty());
        Renamed broken = new Renamed("bwrap", real, 1, Optional.of(BROKEN));
        Workspace workspace =
                choosing(weak, host, strong).open(Kinds.LOCAL_SANDBOX.config().build());
        assertThat(workspace.executor().name()).isEqualTo("bwrap");
        Kinds.run(workspace, "echo 1 > f");
        WorkspaceRef ref = workspace.ref();
        workspace.suspend();
        Workspace again = choosing(weak, broken).resolve(ref);
        assertThat(again.executor().name()).isEqualTo("landlock");
        assertThat(Kinds.run(again, "cat f")).isEqualTo("1\n");
        again.suspend();
        Renamed alsoBroken = new Renamed("landlock", real, 2, Optional.of(BROKEN));
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> choosing(alsoBroken, broken).resolve(ref))
                .withMessageContaining("on " + System.getProperty("os.name"))
                .withMessageContaining("bwrap: it is broken (Mend it.); landlock: it is broken")
                .satisfies(fault -> assertThat(fault.isTransient()).isFalse());
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> choosing(host).resolve(ref))
                .withMessageContaining("none of its backends is installed (bwrap, landlock, seatbelt)");
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> choosing(host, broken)
                        .open(Kinds.LOCAL_SANDBOX
                                .config()
                                .setting("isolation", "landlock")
                                .build()))
                .withMessageContaining("(landlock)");
        choosing(weak).remove(ref);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void filesLeaveWhatSandboxKeeps() {
        Renamed sandbox = new Renamed("landlock", ExecutorProviders.named("landlock"), 1, Optional.empty());
        try (Workspace workspace =
                choosing(sandbox).open(Kinds.LOCAL_SANDBOX.config().build())) {
            assertThatExceptionOfType(FileException.class)
                    .isThrownBy(() -> workspace.files().write("kept", new byte[1]))
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(FileException.Reason.PROTECTED));
            workspace.files().write("other", new byte[1]);
        }
    }

    /** A sandbox that starts and runs no command. */
    private static final class Deaf implements ExecutorProvider {
        private final List<CommandExecutor> made = new ArrayList<>();

        @Override
        public String name() {
            return "docker";
        }

        @Override
        public Availability probe() {
            return ExecutorProviders.named("host").probe();
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            CommandExecutor executor =
                    new ForwardingExecutor(ExecutorProviders.named("host")
                            .create(
                                    SandboxPolicy.unconfined(
                                            PathMapping.same(policy.worktree().hostPath())),
                                    Map.of())) {
                        @Override
                        public ProcessLike spawn(String command, SpawnOptions options) {
                            throw new SpawnException("it is deaf");
                        }
                    };
            made.add(executor);
            return executor;
        }
    }

    @Test
    void sandboxWhoseFirstCommandFailsIsDisposedOf() {
        Deaf deaf = new Deaf();
        DirectoryWorkspaceProvider provider = DirectoryWorkspaceProvider.docker(root)
                .anyCommand()
                .executors(List.of(deaf))
                .build();
        WorkspaceConfig config = WorkspaceConfig.of("docker")
                .capabilities(Capability.SHELL)
                .setting("image", "any")
                .build();
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.open(config))
                .withMessageContaining("it is deaf");
        assertThat(deaf.made).hasSize(1).allMatch(CommandExecutor::isDisposed);
        assertThat(root).isEmptyDirectory();
    }
}
