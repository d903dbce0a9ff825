package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.engine.GuestMain;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The process of one guest: started, made ready, given one order, and ended. */
public final class GuestProcess implements ClassTraining.Guest, AutoCloseable {
    private static final int MAX_ERROR_BYTES = 8_192;
    private static final long END_SECONDS = 10;

    private final ProcessLike process;
    private final GuestLines lines;
    private final CompletableFuture<String> errors;

    private GuestProcess(ProcessLike process) {
        this.process = process;
        lines = new GuestLines(process.stdout());
        errors = new CompletableFuture<>();
        Thread reader =
                new Thread(null, () -> errors.complete(head(process.stderr())), "paddock-guest-errors", 0, false);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a guest and waits until its engine is ready.
     *
     * @param executor where it runs
     * @param files the engine's files
     * @param timeout how long that may take
     * @return the guest; the caller closes it
     * @throws GuestException if it does not become ready
     */
    public static GuestProcess start(CommandExecutor executor, EngineFiles files, Duration timeout) {
        return start(executor, files.command(), files.worktree().commandPath(), timeout);
    }

    static GuestProcess start(CommandExecutor executor, String command, String directory, Duration timeout) {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(directory)
                        .stdin(SpawnOptions.Stdin.PIPE)
                        .killGrace(Duration.ZERO)
                        .build());
        GuestProcess guest = new GuestProcess(process);
        CompletableFuture<Optional<String>> first = new CompletableFuture<>();
        Thread reader = new Thread(null, () -> guest.readFirst(first), "paddock-guest-start", 0, false);
        reader.setDaemon(true);
        reader.start();
        try {
            Optional<String> line = first.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (line.filter(GuestMain.READY::equals).isPresent()) {
                return guest;
            }
            throw guest.lost("the guest's process did not start: "
                    + line.map(text -> text.substring(0, Math.min(text.length(), 500)))
                            .orElse("it ended"));
        } catch (ExecutionException | TimeoutException late) {
            throw guest.lost("the guest's process was not ready within " + timeout.toMillis() + " ms");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw guest.lost("the start of a guest was interrupted");
        }
    }

    private void readFirst(CompletableFuture<Optional<String>> first) {
        try {
            first.complete(lines.next());
        } catch (IOException fault) {
            first.completeExceptionally(fault);
        }
    }

    /** Ends the process and returns an exception with its error output. */
    private GuestException lost(String what) {
        close();
        String said = errors.getNow("").strip();
        return new GuestException(
                GuestException.Kind.LOST,
                "GuestError",
                what + (said.isEmpty() ? "" : "; its error output: " + said)
                        + ". Check that the sandbox has Java or Node",
                "",
                List.of());
    }

    private static String head(InputStream in) {
        try (in) {
            byte[] head = in.readNBytes(MAX_ERROR_BYTES);
            in.transferTo(OutputStream.nullOutputStream());
            return new String(head, StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }

    /** Returns whether the process still runs. */
    boolean isAlive() {
        return !process.onExit().toCompletableFuture().isDone();
    }

    /** Writes a line; one at a time. */
    @Override
    public synchronized void write(String line) throws IOException {
        OutputStream in = process.stdin();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Returns the next line; empty at the end. */
    @Override
    public Optional<String> next() throws IOException {
        return lines.next();
    }

    /** Waits until the process has exited by itself, and returns whether it has. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        try {
            process.onExit().toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException late) {
            return false;
        }
    }

    /** Ends the process at once. */
    void kill() {
        try {
            process.kill(Signal.KILL);
        } catch (ExecutorException gone) {
            // a sandbox that is lost has no process to end
        }
    }

    /** Ends the process, and waits for its end and that of its sandbox. */
    @Override
    public void close() {
        kill();
        try {
            process.stdin().close();
        } catch (IOException ended) {
            // the process has closed its end
        }
        try {
            process.onClosed().toCompletableFuture().get(END_SECONDS, TimeUnit.SECONDS);
            errors.get(END_SECONDS, TimeUnit.SECONDS);
            process.stdout().close();
        } catch (ExecutionException | TimeoutException | IOException lost) {
            // the executor's disposal reports what it could not end
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
