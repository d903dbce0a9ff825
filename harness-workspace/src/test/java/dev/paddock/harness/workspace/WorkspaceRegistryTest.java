package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.LazyWorkspace;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import dev.paddock.harness.workspace.provider.WorkspaceStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests opening at the first use, its bounds, and what the registry says about workspaces. */
class WorkspaceRegistryTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void place() throws IOException {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
    }

    private static WorkspaceStatus.State state(LazyWorkspace workspace) {
        return workspace.status().state();
    }

    @Test
    void workspaceIsOpenedAtItsFirstUseAndResolvedAtNext() throws Exception {
        WorkspaceRef ref;
        try (WorkspaceRegistry registry = WorkspaceRegistry.builder()
                .provider(Kinds.LOCAL_BASH.provider(root))
                .build()) {
            LazyWorkspace workspace =
                    registry.workspace(Kinds.LOCAL_BASH.config().build());
            assertThat(root).doesNotExist();
            assertThat(registry.describe()).containsExactly(workspace.status());
            assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.UNOPENED);
            Kinds.run(workspace.get(), "echo 1 > f");
            assertThat(workspace.get()).isSameAs(workspace.get());
            assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.OPEN);
            workspace.suspend();
            assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.SUSPENDED);
            assertThat(Kinds.run(workspace.get(), "cat f")).isEqualTo("1\n");
            ref = workspace.ref().orElseThrow();
        } // the registry suspends
        try (WorkspaceRegistry registry = WorkspaceRegistry.builder()
                .provider(Kinds.LOCAL_BASH.provider(root))
                .build()) {
            LazyWorkspace again = registry.workspace(ref);
            assertThat(Kinds.run(again.get(), "cat f")).isEqualTo("1\n");
            again.close();
            assertThat(state(again)).isEqualTo(WorkspaceStatus.State.GONE);
            assertThat(registry.describe()).isEmpty();
            assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(again::get);
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void kindsAndCapabilitiesAreCheckedAtDeclaration() {
        WorkspaceProvider filesOnly = new SlowProvider(Kinds.LOCAL_BASH.provider(root), 1) {
            @Override
            public Set<Capability> capabilities() {
                return Set.of(Capability.FILES);
            }
        };
        WorkspaceRegistry registry =
                WorkspaceRegistry.builder().provider(filesOnly).build();
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> registry.workspace(Kinds.DOCKER.config().build()))
                .withMessageContaining("kind 'docker'; there are local-bash");
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> registry.workspace(Kinds.LOCAL_BASH.config().build()))
                .withMessageContaining("shell, snapshots");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> WorkspaceRegistry.builder().provider(filesOnly).provider(filesOnly))
                .withMessageContaining("'local-bash'");
    }

    @Test
    void concurrentOpensAreLimited() throws Exception {
        SlowProvider slow = new SlowProvider(Kinds.LOCAL_BASH.provider(root), 3);
        WorkspaceRegistry registry =
                WorkspaceRegistry.builder().provider(slow).maxConcurrentOpens(3).build();
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            List<LazyWorkspace> all = IntStream.range(0, 12)
                    .mapToObj(number -> registry.workspace(Kinds.LOCAL_BASH
                            .config()
                            .capabilities(Capability.FILES)
                            .build()))
                    .toList();
            List<Future<Workspace>> opens =
                    all.stream().map(one -> threads.submit(one::get)).toList();
            for (Future<Workspace> open : opens) {
                open.get();
            }
            assertThat(slow.most()).isEqualTo(3);
            all.forEach(LazyWorkspace::close);
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void concurrentFirstUsersShareOneOpen() throws Exception {
        SlowProvider slow = new SlowProvider(Kinds.LOCAL_BASH.provider(root), 1);
        WorkspaceRegistry registry = WorkspaceRegistry.builder().provider(slow).build();
        LazyWorkspace workspace = registry.workspace(Kinds.LOCAL_BASH.config().build());
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Workspace>> users = IntStream.range(0, 8)
                    .mapToObj(number -> threads.submit(workspace::get))
                    .toList();
            for (Future<Workspace> user : users) {
                assertThat(user.get()).isSameAs(workspace.get());
            }
        }
        workspace.close();
        assertThat(root).isEmptyDirectory();
    }

    private static WorkspaceConfig filesAlone() {
        return Kinds.LOCAL_BASH.config().capabilities(Capability.FILES).build();
    }

    private WorkspaceRegistry bash() {
        return WorkspaceRegistry.builder()
                .provider(Kinds.LOCAL_BASH.provider(root))
                .build();
    }

    @Test
    void suspendedOrUnusedWorkspaceIsClosed() throws Exception {
        WorkspaceRegistry registry = bash();
        LazyWorkspace suspended = registry.workspace(filesAlone());
        suspended.get();
        suspended.suspend();
        assertThat(root).isNotEmptyDirectory();
        suspended.close();
        assertThat(root).isEmptyDirectory();
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(suspended::get);
        suspended.close();

        WorkspaceRef ref = registry.workspace(filesAlone()).get().ref();
        registry.close(); // suspends it
        LazyWorkspace unused = bash().workspace(ref);
        unused.close();
        assertThat(root).isEmptyDirectory();

        LazyWorkspace unopened = registry.workspace(filesAlone());
        unopened.close();
        assertThat(state(unopened)).isEqualTo(WorkspaceStatus.State.GONE);
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(unopened::get);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void closeThatFailsMayBeRepeated() {
        WorkspaceRegistry registry = bash();
        LazyWorkspace workspace = registry.workspace(filesAlone());
        Workspace elsewhere =
                Kinds.LOCAL_BASH.provider(root).resolve(workspace.get().ref());
        workspace.suspend();
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(workspace::close)
                .withMessageContaining("open elsewhere");
        assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.SUSPENDED);
        assertThat(workspace.status().lastError().orElseThrow()).contains("open elsewhere");
        elsewhere.suspend();
        workspace.close();
        assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.GONE);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void closersShareOneCloseWhichWaitsForOpen() throws Exception {
        SlowProvider slow = new SlowProvider(Kinds.LOCAL_BASH.provider(root), 2);
        LazyWorkspace workspace =
                WorkspaceRegistry.builder().provider(slow).build().workspace(filesAlone());
        try (ExecutorService threads = Executors.newFixedThreadPool(9)) {
            Future<Workspace> opening = threads.submit(workspace::get);
            Awaitility.await("the open to begin").until(() -> slow.now() == 1);
            List<Future<?>> closers = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                closers.add(threads.submit(workspace::close));
            }
            assertThat(closers).noneMatch(Future::isDone);
            slow.letOpen();
            for (Future<?> closer : closers) {
                closer.get();
            }
            assertThat(opening.get().ref()).isEqualTo(workspace.ref().orElseThrow());
        }
        assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.GONE);
        assertThat(root).isEmptyDirectory();
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(workspace::get);
    }
}
