package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import dev.paddock.harness.workspace.provider.WorkspaceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which failures to open a workspace are tried again, how often, and what the registry says of them. */
@Tag("full")
class RepeatedAttemptsTest {
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

    private WorkspaceConfig onEngine(Path socket) {
        return Kinds.DOCKER.config().setting("engine", "unix://" + socket).build();
    }

    @Test
    void engineThatIsDownIsTransientFailureAtOpenAndAtResolve() throws Exception {
        Path socket = temporary.resolve("engine.sock");
        DirectoryWorkspaceProvider provider =
                Kinds.DOCKER.builder(root).anyCommand().build();
        try (WorkspaceRegistry registry = WorkspaceRegistry.builder()
                .provider(provider)
                .retryWaits(List.of())
                .build()) {
            LazyWorkspace workspace = registry.workspace(onEngine(socket));
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(workspace::get)
                    .withMessageContaining("docker is not available")
                    .satisfies(fault -> assertThat(fault.isTransient()).isTrue());
            assertThat(workspace.status().state()).isEqualTo(WorkspaceStatus.State.FAILED);
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
    void transientFailureIsTriedAgainAndThenTold() throws Exception {
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

    @Test
    void byDefaultTransientFailureIsTriedForTenSeconds() {
        AtomicInteger attempts = new AtomicInteger();
        WorkspaceProvider down = new SlowProvider(Kinds.LOCAL_BASH.provider(root), 1) {
            @Override
            public Workspace open(WorkspaceConfig config) {
                attempts.incrementAndGet();
                throw WorkspaceFailedException.passing("down");
            }
        };
        LazyWorkspace workspace = WorkspaceRegistry.builder()
                .provider(down)
                .build()
                .workspace(
                        Kinds.LOCAL_BASH.config().capabilities(Capability.FILES).build());
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
