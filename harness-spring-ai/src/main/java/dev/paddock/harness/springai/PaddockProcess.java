package dev.paddock.harness.springai;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springaicommunity.sandbox.SandboxException;

/** Shows an executor's command as a {@link Process} without a handle. */
final class PaddockProcess extends Process {
    private final ProcessLike command;
    private final AbortController destroying;
    private final CompletableFuture<ExitStatus> exit;

    PaddockProcess(ProcessLike command, AbortController destroying) {
        this.command = command;
        this.destroying = destroying;
        this.exit = command.onExit().toCompletableFuture();
    }

    void destroyAfter(Duration timeout) {
        var unused = exit.copy()
                .orTimeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                .whenComplete((status, fault) -> {
                    if (fault instanceof TimeoutException) {
                        Thread.ofVirtual().start(this::destroy); // an executor may need a round trip for it
                    }
                });
    }

    @Override
    public OutputStream getOutputStream() {
        return command.stdin();
    }

    @Override
    public InputStream getInputStream() {
        return command.stdout();
    }

    @Override
    public InputStream getErrorStream() {
        return command.stderr();
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return exit.get().code();
        } catch (ExecutionException lost) {
            throw lost(lost.getCause());
        }
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            exit.get(Math.max(0, timeout), unit);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (ExecutionException lost) {
            throw lost(lost.getCause());
        }
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("the command has not exited");
        }
        if (exit.state() == Future.State.SUCCESS) {
            return exit.resultNow().code();
        }
        throw lost(exit.exceptionNow());
    }

    private static SandboxException lost(@Nullable Throwable cause) {
        return new SandboxException(
                "The command was lost: " + (cause == null ? "no reason is known" : cause.getMessage()), cause);
    }

    @Override
    public boolean isAlive() {
        return !exit.isDone();
    }

    @Override
    public void destroy() {
        destroying.abort("destroyed");
    }

    @Override
    public Process destroyForcibly() {
        command.kill(Signal.KILL);
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public long pid() {
        return command.pid().orElseThrow(() -> new UnsupportedOperationException("the executor has no process id"));
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit.thenApply(status -> this);
    }
}
