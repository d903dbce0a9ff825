package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.ExecutorException;
import dev.paddock.harness.guest.GuestException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Guests that were started beforehand. Each serves one run. Ending one, too, is done here, off the
 * caller's path.
 */
public final class GuestPool implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long END_SECONDS = 20;

    private final Supplier<GuestProcess> starter;
    private final int size;
    private final Deque<GuestProcess> ready = new ArrayDeque<>();
    private final ExecutorService worker;
    private int starting;
    private boolean closed;

    /**
     * Creates a pool, without guests before the first is taken.
     *
     * @param starter starts a guest
     * @param size how many are kept
     */
    public GuestPool(Supplier<GuestProcess> starter, int size) {
        this.starter = starter;
        this.size = size;
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(null, task, "paddock-guests", 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        worker = threads;
    }

    /**
     * Returns a guest that is ready, and starts another for the next run.
     *
     * @return the guest; the caller gives it back by {@link #end}
     * @throws GuestException if none becomes ready
     * @throws IllegalStateException if the pool is closed
     */
    public GuestProcess take() {
        Optional<GuestProcess> found = Optional.empty();
        synchronized (this) {
            requireOpen();
            while (found.isEmpty() && !ready.isEmpty()) {
                GuestProcess candidate = ready.poll();
                if (candidate.isAlive()) {
                    found = Optional.of(candidate);
                } else {
                    worker.execute(candidate::close);
                }
            }
        }
        try {
            return found.orElseGet(starter);
        } finally {
            refill();
        }
    }

    /** Starts guests up to the pool's size. */
    public synchronized void refill() {
        while (!closed && ready.size() + starting < size) {
            starting++;
            worker.execute(this::startOne);
        }
    }

    private void startOne() {
        Optional<GuestProcess> started = Optional.empty();
        try {
            started = Optional.of(starter.get());
        } catch (GuestException | ExecutorException | IllegalStateException fault) {
            // the next run starts its own guest, and reports the fault
        }
        synchronized (this) {
            starting--;
            if (!closed && started.isPresent()) {
                ready.add(started.get());
                return;
            }
        }
        started.ifPresent(GuestProcess::close);
    }

    /**
     * Ends a guest that has served its run.
     *
     * @param guest the guest
     */
    public void end(GuestProcess guest) {
        guest.kill();
        synchronized (this) {
            if (!closed) {
                worker.execute(guest::close);
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

    /** Ends all guests that wait, and those that are being ended. */
    @Override
    public void close() {
        List<GuestProcess> rest;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            rest = new ArrayList<>(ready);
            ready.clear();
        }
        rest.forEach(GuestProcess::close);
        worker.shutdown();
        try {
            // The executor's disposal, which follows, ends what is left after that.
            boolean unused = worker.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
