package dev.paddock.executor.tck.subject;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fails a call of the executor under test that does not return, so that a hang costs the suite's
 * patience and not the time limit of a test.
 */
final class BoundedCalls extends ForwardingExecutor {
    /** The longest that a disposal may take (C11). */
    private static final Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    private final Duration patience;

    BoundedCalls(CommandExecutor executor, Duration patience) {
        super(executor);
        this.patience = patience;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return new BoundedProcess(call("spawn", () -> super.spawn(command, options)));
    }

    /** Adds the patience to the time that the options give the command, which is the patience if they give none. */
    @Override
    public CommandResult run(String command, RunOptions options) throws InterruptedException {
        Duration ofCommand =
                options.timeout().orElse(patience).plus(options.spawnOptions().killGrace());
        return interruptibly("run", ofCommand.plus(patience), () -> delegate().run(command, options));
    }

    @Override
    public void dispose() {
        var unused = call("dispose", disposal(), () -> {
            super.dispose();
            return true;
        });
    }

    @Override
    public void close() {
        var unused = call("close", disposal(), () -> {
            delegate().close();
            return true;
        });
    }

    private Duration disposal() {
        return patience.compareTo(DISPOSE_BOUND) > 0 ? patience : DISPOSE_BOUND;
    }

    @Override
    public boolean isDisposed() {
        return call("isDisposed", super::isDisposed);
    }

    @Override
    public Optional<PathMapping> worktree() {
        return call("worktree", super::worktree);
    }

    @Override
    public Set<Guarantee> guarantees() {
        return call("guarantees", super::guarantees);
    }

    @Override
    public String name() {
        return call("name", super::name);
    }

    private final class BoundedProcess extends ForwardingProcess {
        BoundedProcess(ProcessLike process) {
            super(process);
        }

        @Override
        public InputStream stdout() {
            return call("stdout", super::stdout);
        }

        @Override
        public InputStream stderr() {
            return call("stderr", super::stderr);
        }

        @Override
        public OutputStream stdin() {
            return call("stdin", super::stdin);
        }

        @Override
        public OptionalLong pid() {
            return call("pid", super::pid);
        }

        @Override
        public boolean kill(Signal signal) {
            return call("kill", () -> super.kill(signal));
        }

        @Override
        public boolean resize(int columns, int rows) {
            return call("resize", () -> super.resize(columns, rows));
        }

        @Override
        public CompletionStage<ExitStatus> onExit() {
            return call("onExit", delegate()::onExit);
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return call("onClosed", delegate()::onClosed);
        }
    }

    private <T> T call(String what, Callable<T> call) {
        return call(what, patience, call);
    }

    private static <T> T call(String what, Duration bound, Callable<T> call) {
        try {
            return interruptibly(what, bound, call);
        } catch (InterruptedException thrown) {
            throw new AssertionError(what + " threw an InterruptedException, which it does not declare", thrown);
        }
    }

    /** Makes a call on a thread of its own, which is interrupted when this one is. */
    private static <T> T interruptibly(String what, Duration bound, Callable<T> call) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread =
                Thread.ofPlatform().daemon().name("contract calls " + what).start(task);
        boolean interrupted = false;
        long deadline = System.nanoTime() + bound.toNanos();
        try {
            while (true) {
                try {
                    return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException caller) {
                    interrupted = true;
                    thread.interrupt();
                }
            }
        } catch (TimeoutException late) {
            AssertionError hang = new AssertionError(what + " did not return within " + bound.toMillis() + " ms", late);
            late.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            throw hang;
        } catch (ExecutionException failed) {
            interrupted &= !(failed.getCause() instanceof InterruptedException);
            throw thrownBy(failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException thrownBy(ExecutionException failed) throws InterruptedException {
        Throwable cause = failed.getCause();
        if (cause instanceof InterruptedException interrupt) {
            throw interrupt;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException fault
                ? fault
                : new IllegalStateException("the call threw a checked exception that it does not declare", failed);
    }
}
