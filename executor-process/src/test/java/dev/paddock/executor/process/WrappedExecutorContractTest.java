package dev.paddock.executor.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract's tests against an executor whose only own line is its argument list. */
@ProvenBy(Layer.WRAPPED_PROGRAM)
class WrappedExecutorContractTest extends CommandExecutorContract {
    private static final List<String> NICE = List.of("nice", "-n", "19");

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                WrappedExecutor.builder("nice", NICE)
                        .claim(Guarantee.EXACT_STATUS)
                        .claim(Guarantee.TERMINAL)
                        .build(),
                PathMapping.same(environment.sharedDirectory()));
    }

    private static CommandResult run(List<String> wrapper, String command) throws InterruptedException {
        try (WrappedExecutor executor = WrappedExecutor.of("wrapped", wrapper)) {
            return executor.run(command, RunOptions.in("/"));
        }
    }

    @Test
    void wrapperWrapsCommand() throws Exception {
        assertThat(run(NICE, "nice").outText()).isEqualTo("19\n");
    }

    @Test
    void programThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> WrappedExecutor.of("mine", List.of("no-such-program", "-x")))
                .isInstanceOf(SpawnException.class)
                .hasMessageContainingAll("mine", "'no-such-program'");
        assertThatThrownBy(() -> WrappedExecutor.of("mine", List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void wrapperThatRunsNothingIsReportedWithItsOutput() {
        assertThatThrownBy(() -> run(List.of("nice", "--no-such-option"), "true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContainingAll("/nice", "did not run its shell", "--no-such-option");
        assertThatThrownBy(() -> run(List.of("echo", "hello"), "true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("hello");
    }

    /** It ends before the request is written: a long request finds no reader. */
    @Test
    void wrapperThatReadsNothingIsReportedWithItsOutput() {
        assertThatThrownBy(() -> run(List.of("echo", "hello"), "true " + "x".repeat(1 << 19)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("hello");
    }

    @Test
    void abortEndsWrapperThatNeverRunsItsShell(@TempDir Path directory) throws Exception {
        AbortController controller = new AbortController();
        Path started = directory.resolve("started");
        List<String> waits = List.of("sh", "-c", "touch " + started + "; exec sleep 1000");
        try (WrappedExecutor executor = WrappedExecutor.of("mine", waits)) {
            CompletableFuture<ProcessLike> command = CompletableFuture.supplyAsync(() -> executor.spawn(
                    "true",
                    SpawnOptions.builder("/").signal(controller.signal()).build()));
            Awaitility.await("the wrapper runs").until(() -> Files.exists(started));
            controller.abort("enough");
            assertThatThrownBy(() -> command.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(AbortedException.class);
        }
    }

    @Test
    void wrapperThatForksHasItsWholeTreeEnded() throws Exception {
        String pid = run(List.of("timeout", "1000"), "setsid sleep 1000 & echo $!")
                .outText()
                .strip();
        Awaitility.await("the process that has left the session ends")
                .until(() -> ProcessHandle.of(Long.parseLong(pid))
                        .filter(ProcessHandle::isAlive)
                        .isEmpty());
    }
}
