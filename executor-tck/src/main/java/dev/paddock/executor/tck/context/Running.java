package dev.paddock.executor.tck.context;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command under test whose streams are read from its start. */
public final class Running {
    private final ProcessLike process;
    private final Collector stdout;
    private final Collector stderr;
    private final Duration patience;

    public Running(ProcessLike process, Duration patience) {
        this.process = process;
        this.patience = patience;
        this.stdout = new Collector("stdout", process.stdout());
        this.stderr = new Collector("stderr", process.stderr());
    }

    public ProcessLike process() {
        return process;
    }

    Collector stdout() {
        return stdout;
    }

    Collector stderr() {
        return stderr;
    }

    /** Waits until the command has written something. */
    public Running awaitText(String text) throws InterruptedException {
        stdout.awaitText(text, patience);
        return this;
    }

    /** Writes to the command's input, which the command must still have open. */
    public void type(String text) {
        try {
            process.stdin().write(text.getBytes(StandardCharsets.UTF_8));
            process.stdin().flush();
        } catch (IOException broken) {
            throw new AssertionError(
                    "the command closed its input although nobody ended it; it has "
                            + (hasExited() ? "exited" : "not exited") + ", stdout so far: " + stdout.soFar(),
                    broken);
        }
    }

    /** Resumes a command that waits for a line; it must still be running, unharmed. */
    public Outcome goOnUnharmed() throws InterruptedException {
        type("go\n");
        Outcome outcome = outcome();
        if (!outcome.status().isSuccess()) {
            throw new AssertionError("the command did not continue although nobody ended it: " + outcome);
        }
        return outcome;
    }

    public ExitStatus status() throws InterruptedException {
        return status(patience);
    }

    public ExitStatus status(Duration bound) throws InterruptedException {
        return await(process.onExit(), "onExit", bound);
    }

    public CleanupReport cleanup() throws InterruptedException {
        return cleanup(patience);
    }

    public CleanupReport cleanup(Duration bound) throws InterruptedException {
        return await(process.onClosed(), "onClosed", bound);
    }

    /** Waits for the exit, the cleanup report, and the end of both streams. */
    public Outcome outcome() throws InterruptedException {
        ExitStatus status = status();
        CleanupReport cleanup = cleanup();
        return new Outcome(status, stdout.awaitEnd(patience), stderr.awaitEnd(patience), cleanup);
    }

    public boolean hasExited() {
        return process.onExit().toCompletableFuture().isDone();
    }

    private <T> T await(CompletionStage<T> stage, String what, Duration bound) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError(
                    what + " did not complete within " + bound.toMillis() + " ms; stdout so far: " + stdout.soFar()
                            + ", stderr so far: " + stderr.soFar(),
                    late);
        } catch (ExecutionException failed) {
            throw new AssertionError(what + " completed exceptionally: " + failed.getCause(), failed.getCause());
        }
    }
}
