package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a workspace, in each kind. */
class WorkspaceTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void place() throws IOException {
        root = temporary.toRealPath().resolve("workspaces");
    }

    @ParameterizedTest
    @EnumSource
    void commandsAndFilesShareDirectoryUntilItIsClosed(Kinds kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.provider(root);
        WorkspaceRef ref;
        try (Workspace workspace = provider.open(kind.config().build())) {
            assertThat(Kinds.run(workspace, "echo hello > made; pwd").strip())
                    .isEqualTo(workspace.worktree().commandPath());
            assertThat(Kinds.read(workspace, "made")).isEqualTo("hello\n");
            workspace.files().write("given", "from the host".getBytes(UTF_8));
            assertThat(Kinds.run(workspace, "cat given")).isEqualTo("from the host");
            ref = WorkspaceRef.parse(workspace.ref().toJson());
            workspace.suspend();
            assertThatIllegalStateException().isThrownBy(workspace::executor).withMessageContaining("suspended");
            assertThatIllegalStateException().isThrownBy(workspace::files);
        } // a suspended workspace stays
        try (Workspace again = kind.provider(root).resolve(ref)) {
            assertThat(again.ref()).isEqualTo(ref);
            assertThat(Kinds.run(again, "cat made given")).isEqualTo("hello\nfrom the host");
        }
        assertThat(root).isEmptyDirectory();
        assertThatExceptionOfType(WorkspaceEvictedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageNotContaining(temporary.toString());
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(() -> provider.remove(ref));
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCKER", "LOCAL_SANDBOX"})
    void commandsChangeNothingButFiles(Kinds kind) throws Exception {
        try (Workspace workspace = kind.provider(root).open(kind.config().build())) {
            Path record = workspace.worktree().hostPath().resolveSibling("workspace.json");
            String before = Files.readString(record);
            Kinds.run(workspace, "echo x > ../workspace.json; echo x > ../use; rm -rf ../snapshots; touch here");
            assertThat(record).hasContent(before);
            assertThat(workspace.worktree().hostPath().resolve("here")).exists();
        }
    }

    @Test
    @Tag("full")
    void withoutListNoCommandIsAllowedInContainer() throws Exception {
        withoutListNoCommandIsAllowed(Kinds.DOCKER);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOCKER")
    void withoutListNoCommandIsAllowed(Kinds kind) throws Exception {
        WorkspaceConfig config = kind.config().build();
        try (Workspace workspace = kind.builder(root).build().open(config)) {
            RunOptions options = RunOptions.in(workspace.worktree().commandPath());
            assertThatExceptionOfType(SpawnException.class)
                    .isThrownBy(() -> workspace.executor().run("touch made", options))
                    .withMessageContaining("allows no commands");
        }
        DirectoryWorkspaceProvider listed =
                kind.builder(root).allowedCommands(List.of("touch")).build();
        try (Workspace workspace = listed.open(config)) {
            RunOptions options = RunOptions.in(workspace.worktree().commandPath());
            assertThatExceptionOfType(SpawnException.class)
                    .isThrownBy(() -> workspace.executor().run("ls", options))
                    .withMessageContaining("'ls' is not allowed");
            assertThatExceptionOfType(SpawnException.class)
                    .isThrownBy(() -> workspace.executor().spawn("touch a; ls", options.spawnOptions()))
                    .withMessageContaining("';'");
            assertThatExceptionOfType(SpawnException.class)
                    .isThrownBy(
                            () -> workspace.executor().run("touch a", options.env("http_proxy", "http://a.example")))
                    .withMessageContaining("http_proxy");
            Kinds.run(workspace, "touch made");
            assertThat(workspace.files().stat("made").path()).isEqualTo("made");
        }
    }

    @Test
    void workspaceHasCapabilitiesThatWereDeclared() {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH.provider(root);
        WorkspaceConfig files =
                WorkspaceConfig.of("local-bash").capabilities(Capability.FILES).build();
        try (Workspace workspace = provider.open(files)) {
            assertThat(workspace.ref().capabilities()).containsExactly(Capability.FILES);
            assertThat(workspace.snapshots()).isEmpty();
            assertThatIllegalStateException().isThrownBy(workspace::executor).withMessageContaining("'shell'");
            workspace.files().write("f", new byte[1]);
        }
        WorkspaceConfig shell =
                WorkspaceConfig.of("local-bash").capabilities(Capability.SHELL).build();
        try (Workspace workspace = provider.open(shell)) {
            assertThatIllegalStateException().isThrownBy(workspace::files).withMessageContaining("'files'");
        }
    }

    @Test
    void failedOpenOfContainerLeavesNothing() {
        DirectoryWorkspaceProvider docker = Kinds.DOCKER.provider(root);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> docker.open(Kinds.DOCKER
                        .config()
                        .setting("image", "paddock-test/absent")
                        .build()))
                .withMessageContaining("paddock-test/absent")
                .satisfies(fault -> assertThat(fault.isTransient()).isFalse());
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void failedOpenLeavesNothing() {
        DirectoryWorkspaceProvider bash = Kinds.LOCAL_BASH.provider(root);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> bash.open(
                        Kinds.LOCAL_BASH.config().network(NetworkPolicy.off()).build()))
                .withMessageContaining("network");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bash.open(
                        Kinds.LOCAL_BASH.config().setting("nonsense", "1").build()))
                .withMessageContaining("'nonsense'");
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> bash.open(Kinds.LOCAL_BASH
                        .config()
                        .copyOf(temporary.resolve("absent"))
                        .build()))
                .withMessageContaining("absent");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void settingsThatLeadElsewhereAreRefused() {
        DirectoryWorkspaceProvider docker =
                Kinds.DOCKER.builder(root).anyCommand().build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> docker.open(WorkspaceConfig.of("docker").build()))
                .withMessageContaining("'image'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> docker.open(
                        Kinds.DOCKER.config().setting("container", "c").build()))
                .withMessageContaining("'c'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> docker.open(Kinds.LOCAL_BASH.config().build()))
                .withMessageContaining("'local-bash'");
        DirectoryWorkspaceProvider local = Kinds.LOCAL_SANDBOX.provider(root);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> local.open(Kinds.LOCAL_SANDBOX
                        .config()
                        .setting("isolation", "host")
                        .build()))
                .withMessageContaining("'host'");
        assertThat(root).doesNotExist();
    }

    @Test
    void pinnedBackendIsUsedOrNone() throws Exception {
        DirectoryWorkspaceProvider local = Kinds.LOCAL_SANDBOX.provider(root);
        try (Workspace workspace = local.open(
                Kinds.LOCAL_SANDBOX.config().setting("isolation", "landlock").build())) {
            assertThat(workspace.executor().name()).isEqualTo("landlock");
        }
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> local.open(Kinds.LOCAL_SANDBOX
                        .config()
                        .setting("isolation", "seatbelt")
                        .build()))
                .withMessageContaining("none of its backends is installed");
    }

    @Test
    void closeThatFailsMayBeRepeatedWhenWorkspaceIsOpenElsewhere() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH.provider(root);
        Workspace first = provider.open(Kinds.LOCAL_BASH.config().build());
        Workspace second = provider.resolve(first.ref());
        Kinds.run(first, "echo 1 > made");
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(first::close)
                .withMessageContaining("open elsewhere")
                .satisfies(fault -> assertThat(fault.isTransient()).isTrue());
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.remove(first.ref()))
                .withMessageContaining("open elsewhere");
        assertThat(Kinds.read(second, "made")).isEqualTo("1\n");
        second.suspend();
        first.close();
        assertThat(root).isEmptyDirectory();
        first.close();
    }

    @Test
    @Tag("full")
    void containersWorkspaceWhoseDirectoryWasRemovedEndsAllSame() throws Exception {
        workspaceWhoseDirectoryWasRemovedEndsAllSame(Kinds.DOCKER);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOCKER")
    void workspaceWhoseDirectoryWasRemovedEndsAllSame(Kinds kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.provider(root);
        Workspace closed = provider.open(kind.config().build());
        Workspace suspended = provider.open(kind.config().build());
        Shell.run(root, "rm -r *");
        closed.close();
        suspended.suspend();
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(() -> provider.resolve(suspended.ref()));
    }

    @Test
    void concurrentClosersShareOneClose() throws Exception {
        Workspace workspace = Kinds.LOCAL_SANDBOX
                .provider(root)
                .open(Kinds.LOCAL_SANDBOX.config().build());
        CyclicBarrier together = new CyclicBarrier(8);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> closes = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                closes.add(threads.submit(() -> {
                    together.await();
                    workspace.close();
                    assertThat(root).isEmptyDirectory();
                    return true;
                }));
            }
            for (Future<?> close : closes) {
                close.get();
            }
        }
    }

    @Test
    void workspacesAreListedAndRemovedByAge() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH.provider(root);
        Workspace open = provider.open(Kinds.LOCAL_BASH.config().build());
        Workspace old = provider.open(Kinds.LOCAL_BASH.config().build());
        Workspace fresh = provider.open(Kinds.LOCAL_BASH.config().build());
        old.suspend();
        fresh.suspend();
        assertThat(provider.list())
                .extracting(entry -> entry.ref())
                .containsExactly(open.ref(), old.ref(), fresh.ref());
        assertThat(Kinds.DOCKER.provider(root).list()).isEmpty();
        for (Workspace one : List.of(open, old)) {
            Shell.run(one.worktree().hostPath(), "touch -d '3 days ago' ../use");
        }
        assertThat(provider.removeUnused(Duration.ofDays(2)))
                .containsExactly(old.ref().payload().get("id"));
        assertThat(provider.list()).extracting(entry -> entry.ref()).containsExactly(open.ref(), fresh.ref());
        open.close();
        provider.remove(fresh.ref());
        try (Stream<Path> left = Files.list(root)) {
            assertThat(left).isEmpty();
        }
    }
}
