package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ToolException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The ended commands whose changes have not all reached the worktree. Thread-safe. */
public final class FilesUnderWay {
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final Map<Long, CompletableFuture<?>> commands = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    public FilesUnderWay() {}

    /** Adds a command that has ended. */
    void add(CompletionStage<?> closed) {
        CompletableFuture<?> one = closed.toCompletableFuture();
        long number = count.incrementAndGet();
        commands.put(number, one);
        var unused = one.whenComplete((report, lost) -> commands.remove(number));
    }

    /**
     * Waits until all changes have reached the worktree.
     *
     * @throws ToolException if they are not within a minute
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public void await(AbortSignal signal) {
        CompletableFuture<?>[] waiting = commands.values().toArray(CompletableFuture[]::new);
        if (waiting.length == 0) {
            return;
        }
        CompletableFuture<Void> aborted = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> aborted.complete(null));
        try {
            var unused = CompletableFuture.anyOf(aborted, CompletableFuture.allOf(waiting))
                    .get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException lost) {
            return; // the command's report says so; the files that arrived are in place
        } catch (TimeoutException late) {
            throw new ToolException("Files that a command has changed are still being fetched, so that this call could"
                    + " see old ones. Nothing was done; try again later.");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ToolException("The call was interrupted while files were being fetched. Nothing was done.");
        } finally {
            registration.close();
        }
        signal.throwIfAborted();
    }
}
