package dev.paddock.harness.guest.bridge;

import dev.paddock.harness.guest.GuestException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Guests that are started in advance. Each serves one run. Also ends guests, off the caller's path. */
public final class GuestPool implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long END_SECONDS = 20;

    /** Delay, so that a short run does not compete with the start of the next guest. */
    private static final long REFILL_MILLIS = 25;

    /** The most concurrent starts: more would compete for processors and exceed their time limit. */
    static final int MAX_STARTING = Math.max(THREADS, 2 * Runtime.getRuntime().availableProcessors());

    private final Supplier<GuestProcess> starter;
    private final Semaphore starting = new Semaphore(MAX_STARTING, true);
    private final int size;
    private final Deque<CompletableFuture<GuestProcess>> started = new ArrayDeque<>();
    private final ExecutorService starts = threads("paddock-guest-start");
    private final ExecutorService ends = threads("paddock-guest-end");
    private boolean closed;

    /**
     * Creates a pool, without guests before {@link #refill}.
     *
     * @param starter starts a guest
     * @param size how many are kept
     */
    public GuestPool(Supplier<GuestProcess> starter, int size) {
        this.starter = starter;
        this.size = size;
    }

    private static ExecutorService threads(String name) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(null, task, name, 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * Returns a ready guest, or waits for the first one, and for other starts. The pool starts another guest for the
     * next run, at the end of this one or after some milliseconds.
     *
     * @return the guest; the caller returns it with {@link #end}
     * @throws GuestException if none becomes ready
     * @throws IllegalStateException if the pool is closed
     */
    public GuestProcess take() {
        for (Optional<CompletableFuture<GuestProcess>> next = next(); next.isPresent(); next = next()) {
            try {
                GuestProcess candidate = next.get().join();
                if (candidate.isAlive()) {
                    CompletableFuture.delayedExecutor(REFILL_MILLIS, TimeUnit.MILLISECONDS, starts)
                            .execute(this::refill);
                    return candidate;
                }
                end(candidate);
            } catch (CompletionException fault) {
                // the guest started below reports a permanent fault
            }
        }
        try {
            return start();
        } finally {
            refill();
        }
    }

    private GuestProcess start() {
        try {
            starting.acquire();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new GuestException(
                    GuestException.Kind.LOST, "GuestError", "the start of a guest was interrupted", "", List.of());
        }
        try {
            synchronized (this) {
                requireOpen();
            }
            return starter.get();
        } finally {
            starting.release();
        }
    }

    private synchronized Optional<CompletableFuture<GuestProcess>> next() {
        requireOpen();
        return Optional.ofNullable(started.poll());
    }

    /** Starts guests up to the pool's size. */
    public void refill() {
        startUpTo(size);
    }

    /** Starts a guest for a coming run, unless one is ready. */
    public void anticipate() {
        startUpTo(Math.max(1, size));
    }

    private synchronized void startUpTo(int number) {
        while (!closed && started.size() < number) {
            started.add(CompletableFuture.supplyAsync(this::start, starts));
        }
    }

    /**
     * Ends a guest that has served its run.
     *
     * @param guest the guest
     */
    public void end(GuestProcess guest) {
        synchronized (this) {
            if (!closed) {
                ends.execute(guest::close);
                startUpTo(size);
                return;
            }
        }
        guest.close();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session of guests is closed; open another");
        }
    }

    /** Ends all idle guests and finishes pending ends. */
    @Override
    public void close() {
        List<CompletableFuture<GuestProcess>> rest;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            rest = new ArrayList<>(started);
            started.clear();
        }
        for (CompletableFuture<GuestProcess> guest : rest) {
            CompletableFuture<Void> unused = guest.thenAccept(GuestProcess::close);
        }
        starts.shutdown();
        ends.shutdown();
        try {
            // The executor's disposal, which follows, ends the rest.
            boolean unused = starts.awaitTermination(END_SECONDS, TimeUnit.SECONDS)
                    && ends.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
