package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;
import static dev.paddock.executor.tck.Broken.process;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Executors that break C19: by their own {@code run}, or by commands that it cannot rely on. */
final class BrokenRuns {
    private BrokenRuns() {}

    static List<Broken> all() {
        return List.of(
                executor("gives runs no input", "C19_inputOutputAndStatus", "the input, as output", NoInput::new),
                executor("hides the signal", "C19_timeoutEndsTree", "after its timeout", Deaf::new),
                executor("leaves without its command", "C19_interruptEndsTree", "after an interrupt", Leaves::new),
                executor(
                        "throws what callbacks throw",
                        "C19_callbackThatThrowsKeepsExitCode",
                        "takes no line",
                        Throws::new),
                process(
                        "reads one stream after the other",
                        "C19_muchOutputOnBothStreamsDoesNotBlock",
                        "TimedOut",
                        OneByOne::new));
    }

    private static SpawnOptions.Builder copy(SpawnOptions options) {
        return SpawnOptions.builder(options.cwd())
                .env(options.env())
                .killGrace(options.killGrace())
                .stderr(options.stderr());
    }

    private static final class NoInput extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return super.spawn(command, copy(options).signal(options.signal()).build());
        }
    }

    private static final class Deaf extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return super.spawn(
                    command,
                    copy(options)
                            .signal(AbortSignal.never())
                            .stdin(options.stdin())
                            .build());
        }
    }

    /** Runs the command on a thread that the interrupt does not reach. */
    private static final class Leaves extends ReferenceExecutor {
        @Override
        public CommandResult run(String command, RunOptions options) throws InterruptedException {
            FutureTask<CommandResult> elsewhere = new FutureTask<>(() -> super.run(command, options));
            Thread.ofPlatform().daemon().name("runs elsewhere").start(elsewhere);
            try {
                return elsewhere.get();
            } catch (ExecutionException failed) {
                throw new ExecutorException("the run failed", failed);
            }
        }
    }

    private static final class Throws extends ReferenceExecutor {
        @Override
        public CommandResult run(String command, RunOptions options) throws InterruptedException {
            CommandResult result = super.run(command, options);
            result.callbackErrors().stream().findFirst().ifPresent(first -> {
                throw new ExecutorException("a callback failed: " + first, first);
            });
            return result;
        }
    }

    /** Lets nobody read standard error before the end of standard output. */
    private static final class OneByOne extends ReferenceProcess {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final InputStream stdout;
        private final InputStream stderr;

        OneByOne(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
            stdout = new FilterInputStream(super.stdout()) {
                @Override
                public int read(byte[] block, int from, int length) throws IOException {
                    int read = super.read(block, from, length);
                    if (read < 0) {
                        ended.countDown();
                    }
                    return read;
                }
            };
            stderr = new FilterInputStream(super.stderr()) {
                @Override
                public int read(byte[] block, int from, int length) throws IOException {
                    try {
                        ended.await();
                    } catch (InterruptedException stopped) {
                        throw new InterruptedIOException("interrupted");
                    }
                    return super.read(block, from, length);
                }
            };
        }

        @Override
        public InputStream stdout() {
            return stdout;
        }

        @Override
        public InputStream stderr() {
            return stderr;
        }
    }
}
