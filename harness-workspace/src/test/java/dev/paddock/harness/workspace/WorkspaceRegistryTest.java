package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening at the first use, repeated attempts, bounds, and what the registry says about them. */
class WorkspaceRegistryTest {
    @TempDir
    Path temporary;

    private Path root;

    /** The directory's removal would report a link that leads out. */
    @AfterEach
    void unlink() throws IOException {
        Files.deleteIfExists(temporary.resolve("engine.sock"));
    }

    @BeforeEach
    void place() throws IOException {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
    }

    private static WorkspaceStatus.State state(LazyWorkspace workspace) {
        return workspace.status().state();
    }

    @Test
    void aWorkspaceIsOpenedAtItsFirstUseAndResolvedAtTheNext() throws Exception {
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
    void kindsAndCapabilitiesAreCheckedAtTheDeclaration() {
        WorkspaceProvider filesOnly = new Slow(Kinds.LOCAL_BASH.provider(root), 1) {
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

    /** The configuration of a container whose engine is at an address of the test's. */
    private WorkspaceConfig onEngine(Path socket) {
        return Kinds.DOCKER.config().setting("engine", "unix://" + socket).build();
    }

    @Test
    void anEngineThatIsDownIsATransientFailureAtOpenAndAtResolve() throws Exception {
        Path socket = temporary.resolve("engine.sock");
        DirectoryWorkspaceProvider provider = Kinds.DOCKER.provider(root);
        try (WorkspaceRegistry registry = WorkspaceRegistry.builder()
                .provider(provider)
                .retryWaits(List.of())
                .build()) {
            LazyWorkspace workspace = registry.workspace(onEngine(socket));
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(workspace::get)
                    .withMessageContaining("docker is not available")
                    .satisfies(fault -> assertThat(fault.isTransient()).isTrue());
            assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.FAILED);
            assertThat(workspace.status().lastError().orElseThrow()).contains("docker is not available");
            assertThat(root).isEmptyDirectory();

            Files.createSymbolicLink(socket, engineSocket());
            Kinds.run(workspace.get(), "echo 1 > f");
            workspace.suspend();
            Files.delete(socket);
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(workspace::get)
                    .satisfies(fault -> assertThat(fault.isTransient()).isTrue());

            Files.createSymbolicLink(socket, engineSocket());
            assertThat(Kinds.run(workspace.get(), "cat f")).isEqualTo("1\n");
            workspace.close();
        }
    }

    /** Counts the starts of a backend, and lets the engine come up at one of them. */
    private static final class CountingDocker implements ExecutorProvider {
        private final ExecutorProvider docker = ExecutorProviders.named("docker");
        private final AtomicInteger starts = new AtomicInteger();
        private final Path socket;
        private final int up;

        CountingDocker(Path socket, int up) {
            this.socket = socket;
            this.up = up;
        }

        @Override
        public String name() {
            return docker.name();
        }

        @Override
        public Availability probe() {
            return docker.probe();
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            try {
                if (starts.incrementAndGet() == up) {
                    Files.createSymbolicLink(socket, engineSocket());
                }
            } catch (IOException fault) {
                throw new IllegalStateException(fault);
            }
            return docker.create(policy, settings);
        }
    }

    private static WorkspaceRegistry patient(WorkspaceProvider provider, int attempts) {
        return WorkspaceRegistry.builder()
                .provider(provider)
                .retryWaits(Collections.nCopies(attempts - 1, Duration.ofMillis(1)))
                .build();
    }

    @Test
    void aTransientFailureIsTriedAgainAndThenTold() throws Exception {
        Path socket = temporary.resolve("engine.sock");
        CountingDocker third = new CountingDocker(socket, 3);
        DirectoryWorkspaceProvider provider = DirectoryWorkspaceProvider.docker(root)
                .anyCommand()
                .executors(List.of(third))
                .build();
        try (WorkspaceRegistry registry = patient(provider, 2)) {
            LazyWorkspace workspace = registry.workspace(onEngine(socket));
            assertThatExceptionOfType(WorkspaceFailedException.class).isThrownBy(workspace::get);
            assertThat(third.starts).hasValue(2);
            assertThat(Kinds.run(workspace.get(), "echo up")).isEqualTo("up\n");
            assertThat(third.starts).hasValue(3);
            workspace.close();
        }
        Files.delete(socket);
        CountingDocker second = new CountingDocker(socket, 2);
        DirectoryWorkspaceProvider another = DirectoryWorkspaceProvider.docker(root)
                .anyCommand()
                .executors(List.of(second))
                .build();
        try (WorkspaceRegistry registry = patient(another, 4)) {
            LazyWorkspace workspace = registry.workspace(onEngine(socket));
            workspace.get();
            assertThat(second.starts).hasValue(2);
            workspace.close();
            LazyWorkspace absent = registry.workspace(Kinds.DOCKER
                    .config()
                    .setting("image", "paddock-test/absent")
                    .build());
            assertThatExceptionOfType(WorkspaceFailedException.class).isThrownBy(absent::get);
            assertThat(second.starts).as("a lasting failure is not tried again").hasValue(3);
        }
    }

    /** A provider whose opens wait until some of them are in progress. */
    private static class Slow implements WorkspaceProvider {
        private final WorkspaceProvider real;
        private final CountDownLatch together;
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        Slow(WorkspaceProvider real, int together) {
            this.real = real;
            this.together = new CountDownLatch(together);
        }

        @Override
        public String kind() {
            return real.kind();
        }

        @Override
        public Set<Capability> capabilities() {
            return real.capabilities();
        }

        @Override
        public Workspace open(WorkspaceConfig config) {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            together.countDown();
            try {
                together.await();
                return real.open(config);
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            } finally {
                now.decrementAndGet();
            }
        }

        @Override
        public Workspace resolve(WorkspaceRef ref) {
            return real.resolve(ref);
        }

        @Override
        public void remove(WorkspaceRef ref) {
            real.remove(ref);
        }
    }

    @Test
    void soManyWorkspacesAreOpenedAtATime() throws Exception {
        Slow slow = new Slow(Kinds.LOCAL_BASH.provider(root), 3);
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
            assertThat(slow.most).hasValue(3);
            all.forEach(LazyWorkspace::close);
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void concurrentFirstUsersShareOneOpen() throws Exception {
        Slow slow = new Slow(Kinds.LOCAL_BASH.provider(root), 1);
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
    void aSuspendedOrUnusedWorkspaceIsClosed() throws Exception {
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
    void aCloseThatFailsMayBeRepeated() {
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
    void closersShareOneCloseWhichWaitsForAnOpen() throws Exception {
        Slow slow = new Slow(Kinds.LOCAL_BASH.provider(root), 2);
        LazyWorkspace workspace =
                WorkspaceRegistry.builder().provider(slow).build().workspace(filesAlone());
        try (ExecutorService threads = Executors.newFixedThreadPool(9)) {
            Future<Workspace> opening = threads.submit(workspace::get);
            Awaitility.await("the open to begin").until(() -> slow.now.get() == 1);
            List<Future<?>> closers = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                closers.add(threads.submit(workspace::close));
            }
            assertThat(closers).noneMatch(Future::isDone);
            slow.together.countDown();
            for (Future<?> closer : closers) {
                closer.get();
            }
            assertThat(opening.get().ref()).isEqualTo(workspace.ref().orElseThrow());
        }
        assertThat(state(workspace)).isEqualTo(WorkspaceStatus.State.GONE);
        assertThat(root).isEmptyDirectory();
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(workspace::get);
    }

    @Tag("full")
    @Test
    void byDefaultATransientFailureIsTriedForTenSeconds() {
        AtomicInteger attempts = new AtomicInteger();
        WorkspaceProvider down = new Slow(Kinds.LOCAL_BASH.provider(root), 1) {
            @Override
            public Workspace open(WorkspaceConfig config) {
                attempts.incrementAndGet();
                throw WorkspaceFailedException.passing("down");
            }
        };
        LazyWorkspace workspace =
                WorkspaceRegistry.builder().provider(down).build().workspace(filesAlone());
        long start = System.nanoTime();
        assertThatExceptionOfType(WorkspaceFailedException.class).isThrownBy(workspace::get);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        assertThat(attempts).hasValue(4);
    }

    /** Returns the socket of the engine that the tests use. */
    private static Path engineSocket() {
        String given = System.getenv().getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock");
        assertThat(given).as("the engine of these tests has a socket").startsWith("unix://");
        return Path.of(given.substring("unix://".length()));
    }
}
