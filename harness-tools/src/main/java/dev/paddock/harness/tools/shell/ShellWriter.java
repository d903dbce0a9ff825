package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.command.Timeouts;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Writes to a background shell's input; waits only briefly for a command that does not read. */
final class ShellWriter {
    private final String id;
    private final OutputStream input;
    private final Executor workers;
    private final Duration patience;
    private boolean closed;
    private boolean busy;

    ShellWriter(String id, OutputStream input, Executor workers, Duration patience) {
        this.id = id;
        this.input = input;
        this.workers = workers;
        this.patience = patience;
    }

    /**
     * Writes text, and closes the input after it if {@code close} is set.
     *
     * @throws ToolException if it cannot be written now; the message says whether a part was
     */
    void write(byte[] text, boolean close) {
        begin(close);
        CompletableFuture<Void> written = new CompletableFuture<>();
        workers.execute(() -> {
            try {
                pass(text, close);
                written.complete(null);
            } catch (IOException fault) {
                written.completeExceptionally(fault);
            } finally {
                end();
            }
        });
        try {
            written.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new ToolException(
                    id + " has not read all of the text within " + Timeouts.unit(patience)
                            + ". The rest follows when it reads on; until then it takes no more.",
                    slow);
        } catch (ExecutionException fault) {
            throw new ToolException(
                    id + " reads no input any more: " + written.exceptionNow().getMessage() + ".", fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ToolException("Aborted; " + id + " may have received the text.", interrupt);
        }
    }

    private synchronized void begin(boolean close) {
        if (closed) {
            throw new ToolException("The input of " + id + " has been closed. Nothing was written.");
        }
        if (busy) {
            throw new ToolException(id + " has not read the text of an earlier call yet. Nothing was written.");
        }
        busy = true;
        closed = close;
    }

    private synchronized void end() {
        busy = false;
    }

    private void pass(byte[] text, boolean close) throws IOException {
        input.write(text);
        input.flush();
        if (close) {
            input.close();
        }
    }
}
