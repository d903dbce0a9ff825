package dev.paddock.executor.remote.shell;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Starts processes in containers one at a time, and ends slots between the starts.
 *
 * <p>A container engine serializes the starts of a container's processes anyway, and creating another container waits
 * for that lock. In addition, its shim (containerd 1.6) processes exits only between starts: it queues 32 of them, and
 * beyond that each takes a second, so that 64 slots that end during a start would block everything for half a minute.
 */
public final class ExecSerializer {
    private static final long START_WAIT_SECONDS = 60;
    private static final int MAX_ENDS = 16;
    private static final long END_WAIT_SECONDS = 2;

    private final Semaphore permit = new Semaphore(1, true);
    private final Queue<SlotEnd> ending = new ConcurrentLinkedQueue<>();

    public ExecSerializer() {}

    /** A slot to end: the action that ends it, and a future that completes when it has ended. */
    private record SlotEnd(Runnable action, CompletableFuture<Void> ended) {}

    /**
     * Starts a process when no other is being started.
     *
     * @param start starts it
     * @return the result of {@code start}
     * @throws IOException if {@code start} throws it, or earlier starts take longer than a minute
     * @throws AbortedException if the thread is interrupted
     */
    public <T> T start(Callable<T> start) throws IOException {
        try {
            if (!permit.tryAcquire(START_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new SocketTimeoutException("no process could be started within " + START_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting to start a process in a container");
        }
        try {
            endSome();
            return start.call();
        } catch (IOException | RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new IllegalStateException(fault);
        } finally {
            permit.release();
        }
    }

    /**
     * Ends a process when no other is being started, at once or soon.
     *
     * @param action ends it
     * @param ended completes when it has ended
     */
    public void end(Runnable action, CompletableFuture<Void> ended) {
        ending.add(new SlotEnd(action, ended));
        DaemonThreads.virtual("paddock-remote-leaving").start(() -> {
            permit.acquireUninterruptibly();
            try {
                endSome();
            } finally {
                permit.release();
            }
        });
    }

    private void endSome() {
        List<SlotEnd> some = new ArrayList<>();
        for (SlotEnd each = ending.poll(); each != null; each = some.size() < MAX_ENDS ? ending.poll() : null) {
            some.add(each);
        }
        some.forEach(each -> each.action().run());
        CompletableFuture.allOf(some.stream().map(SlotEnd::ended).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, END_WAIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
