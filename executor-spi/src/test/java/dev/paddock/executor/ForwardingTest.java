package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.PathMapping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the decorators of executors and processes. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForwardingTest {
    @TempDir
    private Path directory;

    private RunOptions options() {
        return RunOptions.in(directory.toString());
    }

    /** An executor with an answer of its own to every call. */
    private final class Inner implements CommandExecutor {
        private final AtomicBoolean disposed = new AtomicBoolean();

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        }

        @Override
        public Optional<PathMapping> worktree() {
            return Optional.of(PathMapping.same(directory));
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.TREE_KILL);
        }

        @Override
        public String name() {
            return "inner";
        }

        @Override
        public void dispose() {
            disposed.set(true);
        }
    }

    @Test
    void everyCallIsForwarded() throws Exception {
        Inner inner = new Inner();
        try (CommandExecutor forwarding = new ForwardingExecutor(inner) {}) {
            assertThat(forwarding.name()).isEqualTo("inner");
            assertThat(forwarding.guarantees()).containsExactly(Guarantee.TREE_KILL);
            assertThat(forwarding.worktree()).contains(PathMapping.same(directory));
            assertThat(forwarding.run("echo works", options()).orThrow().outText())
                    .isEqualTo("works\n");
        }
        assertThat(inner.disposed).isTrue();
    }

    @Test
    void runUsesSpawnThatDecoratorChanges() throws Exception {
        CommandExecutor decorated = new ForwardingExecutor(new Inner()) {
            @Override
            public ProcessLike spawn(String command, SpawnOptions options) {
                return new ForwardingProcess(super.spawn("cat; " + command, options)) {
                    @Override
                    protected ExitStatus mapStatus(ExitStatus status) {
                        return new ExitStatus.Exited(status.code() + 1);
                    }
                };
            }
        };
        CommandResult result = decorated.run("exit 4", options().stdin("in".getBytes(StandardCharsets.UTF_8)));
        assertThat(result.outText()).isEqualTo("in");
        assertThat(result.status()).contains(new ExitStatus.Exited(5));
        assertThat(result.cleanup()).contains(CleanupReport.NONE);
    }

    @Test
    void mappingThatThrowsIsReportedAsExecutorsFault() throws Exception {
        CommandExecutor decorated = new ForwardingExecutor(new Inner()) {
            @Override
            public ProcessLike spawn(String command, SpawnOptions options) {
                return new ForwardingProcess(super.spawn(command, options)) {
                    @Override
                    protected ExitStatus mapStatus(ExitStatus status) {
                        throw new IllegalStateException("no such status");
                    }
                };
            }
        };
        CommandResult result = decorated.run("true", options());
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        CommandOutcome.Lost.class,
                        lost -> assertThat(lost.cause()).hasMessageContaining("no such status"));
        assertThatThrownBy(result::orThrow).hasMessageContaining("no such status");
    }
}
