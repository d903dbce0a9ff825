package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how {@link CommandExecutor#run} ends beside processes, starts and writes that do not. */
class CommandRunEndTest extends RunningCommands {
    @Test
    void processThatHoldsPipeDoesNotHoldResult() throws Exception {
        CommandResult result = PLAIN.run("tail -f /dev/null & echo $!", options());
        ProcessHandle holder =
                ProcessHandle.of(Long.parseLong(result.outText().strip())).orElseThrow();
        try {
            assertThat(holder.isAlive()).as("holds the pipe").isTrue();
            assertThat(result.succeeded()).isTrue();
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void startThatReturnsLateHasItsCommandEnded() throws Exception {
        CompletableFuture<ProcessLike> started = new CompletableFuture<>();
        CountDownLatch abandoned = new CountDownLatch(1);
        CommandExecutor late = (command, options) -> {
            AbortController passedOn = new AbortController(); // since the abort may precede the process
            ProcessLike process = PLAIN.spawn(
                    command, options.toBuilder().signal(passedOn.signal()).build());
            awaitQuietly(abandoned);
            var unused = options.signal().onAbort(passedOn::abort);
            started.complete(process);
            return process;
        };
        assertThatThrownBy(() -> late.run("exec tail -f /dev/null", options().startTimeout(SOON)))
                .isInstanceOf(SpawnException.class);
        abandoned.countDown();
        assertThat(started.thenCompose(ProcessLike::onExit).get(30, TimeUnit.SECONDS))
                .isEqualTo(new ExitStatus.Signaled(Signal.TERM));
    }

    @Test
    void exitBeforeStopIsOutcome() throws Exception {
        CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
        CommandExecutor executor = (command, options) -> new ForwardingProcess(PLAIN.spawn(command, options)) {
            @Override
            public CompletionStage<ExitStatus> onExit() {
                return exit;
            }
        };
        AbortController controller = new AbortController();
        var unused = controller.signal().onAbort(() -> exit.complete(new ExitStatus.Exited(6)));
        CommandResult result = executor.run(
                "echo up; exec tail -f /dev/null",
                options().signal(controller.signal()).onLine((from, line) -> controller.abort()));
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.Exited(new ExitStatus.Exited(6)));
    }

    @Test
    void writerThatIsStuckInWriteHasItsStreamClosed() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) {
                writing.countDown();
                awaitQuietly(closed);
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        CommandExecutor executor = (command, options) -> new ForwardingProcess(PLAIN.spawn(command, options)) {
            @Override
            public OutputStream stdin() {
                return full;
            }
        };
        AbortController controller = new AbortController();
        CommandResult result =
                executor.run("cat", options().signal(controller.signal()).stdin(in -> {
                    var unused = CompletableFuture.runAsync(() -> {
                        awaitQuietly(writing);
                        controller.abort();
                    });
                    in.write(1);
                }));
        assertThat(closed.await(30, TimeUnit.SECONDS)).as("closed").isTrue();
        assertThat(result.outcome()).isInstanceOf(CommandOutcome.Aborted.class);
    }

    /** Waits, and heeds no interrupt, as a write to a pipe does. */
    private static void awaitQuietly(CountDownLatch latch) {
        boolean passed = false;
        while (!passed) {
            try {
                passed = latch.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException unheeded) {
                passed = false;
            }
        }
    }
}
