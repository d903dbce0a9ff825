package dev.paddock.executor.process.warm;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few warm slots, which are set up before their command is known. A slot serves one command. The pool hands it
 * out only if it was prepared for a plan that equals the command's; it discards others.
 *
 * <p>The pool prepares slots one after the other on its own thread, some time after one was taken, so that the set-up
 * of the next slot does not compete for the CPU with a command that has just started. The delay is longer after the
 * very first command, which found no slot. The pool logs a failed preparation, and repeats it for an equal plan only
 * after the retry time, when another slot is requested. It discards unused slots after the idle time, and prepares none
 * before the first request. An idle pool has no thread.
 *
 * @param <P> the plan that a slot is prepared for; compared by {@code equals}
 * @param <S> a slot
 * @since 0.1
 */
public final class WarmPool<P, S> implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(WarmPool.class);
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    /**
     * The delay after the first command: a program that runs a single command has mostly exited by then, and an earlier
     * preparation would slow it down.
     */
    static final Duration FIRST_DELAY = Duration.ofMillis(100);

    private final Settings settings;
    private final Preparation<P, S> preparation;
    private final Consumer<S> discard;
    private final ScheduledThreadPoolExecutor thread;
    private final Deque<Entry<P, S>> ready = new ArrayDeque<>();
    private boolean closed;
    private boolean begun;
    private boolean prepared;
    private boolean refilling;
    private long lastTaken = System.nanoTime();
    private Optional<Failure<P>> failure = Optional.empty();
    private @Nullable ScheduledFuture<?> drop;

    /**
     * The settings of a pool.
     *
     * @param name the name of the thread, and for messages
     * @param size the number of ready slots; from 0, for none, to {@link #MAX_SLOTS}
     * @param idle the time without a command after which slots are discarded
     * @param delay the time between taking a slot and preparing the next
     * @param retry the time between a failed preparation and the next attempt
     */
    public record Settings(String name, int size, Duration idle, Duration delay, Duration retry) {
        /** The default of {@link #size()}: 2. */
        public static final int DEFAULT_SIZE = 2;

        /**
         * The largest {@link #size()}: 16. A ready slot holds up to three processes and their memory. The pool prepares
         * slots one after the other, so a larger pool would not speed up a burst of commands.
         */
        public static final int MAX_SLOTS = 16;

        /** The default of {@link #idle()}: 1 minute. */
        public static final Duration DEFAULT_IDLE = Duration.ofMinutes(1);

        /** The default of {@link #delay()}: 3 milliseconds, in which a short command has started. */
        public static final Duration DEFAULT_DELAY = Duration.ofMillis(3);

        /** The default of {@link #retry()}: 30 seconds. */
        public static final Duration DEFAULT_RETRY = Duration.ofSeconds(30);

        /**
         * Creates settings.
         *
         * @throws IllegalArgumentException if the size is out of range
         */
        public Settings {
            requireSize(size);
        }

        /**
         * Creates settings with the defaults.
         *
         * @param name the name of the thread, and for messages
         * @param size the number of ready slots
         * @throws IllegalArgumentException if the size is out of range
         */
        public Settings(String name, int size) {
            this(name, size, DEFAULT_IDLE, DEFAULT_DELAY, DEFAULT_RETRY);
        }

        /**
         * Checks a number of slots.
         *
         * @param size the number
         * @return the number
         * @throws IllegalArgumentException if it is out of range
         */
        public static int requireSize(int size) {
            if (size < 0 || size > MAX_SLOTS) {
                throw new IllegalArgumentException(
                        "the number of warm slots is " + size + ": set 0, for none, to " + MAX_SLOTS);
            }
            return size;
        }
    }

    /**
     * Prepares a slot.
     *
     * @param <P> the plan that it is prepared for
     * @param <S> the slot
     */
    @FunctionalInterface
    public interface Preparation<P, S> {
        /**
         * Prepares a slot and returns when it can take a command, or soon will.
         *
         * @param plan the plan that it is prepared for
         * @return the slot
         * @throws Exception if it cannot be prepared; no process or resource is left
         */
        S prepare(P plan) throws Exception;
    }

    private record Entry<P, S>(P plan, S slot) {}

    /**
     * The last failure.
     *
     * @param plan the plan of the slot that failed; slots for other plans may still be prepared
     * @param nanoTime when it failed
     */
    private record Failure<P>(P plan, long nanoTime) {}

    /**
     * Creates an empty pool.
     *
     * @param settings the settings
     * @param preparation prepares slots
     * @param discard ends a slot that serves no command
     */
    public WarmPool(Settings settings, Preparation<P, S> preparation, Consumer<S> discard) {
        this.settings = settings;
        this.preparation = preparation;
        this.discard = discard;
        thread = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.platform(settings.name() + "-slots").factory());
        thread.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Takes a slot if one is ready. Never waits, and wakes no thread: the caller must call {@link #refill} once the
     * command has started.
     *
     * @param plan the plan that the command needs
     * @return a slot prepared for an equal plan, which the caller now owns; empty if there is none
     */
    public Optional<S> poll(P plan) {
        List<Entry<P, S>> stale = new ArrayList<>();
        Optional<S> taken = Optional.empty();
        synchronized (this) {
            while (taken.isEmpty() && !ready.isEmpty()) {
                Entry<P, S> next = ready.removeFirst();
                if (next.plan.equals(plan)) {
                    taken = Optional.of(next.slot);
                } else {
                    stale.add(next);
                }
            }
            begun = true;
            lastTaken = System.nanoTime();
        }
        stale.forEach(entry -> discard.accept(entry.slot));
        return taken;
    }

    /**
     * Reports that a taken slot is unusable. The caller discards it; the pool waits for the retry time before it
     * prepares another for an equal plan.
     *
     * @param plan the plan that the slot was taken for
     * @param reason the failure
     */
    public synchronized void failed(P plan, Throwable reason) {
        LOG.log(Level.WARNING, settings.name() + ": a prepared slot failed; commands start cold meanwhile", reason);
        failure = Optional.of(new Failure<>(plan, System.nanoTime()));
    }

    private boolean hasJustFailed(P plan) {
        return failure.filter(last -> last.plan().equals(plan))
                .filter(last ->
                        System.nanoTime() - last.nanoTime() < settings.retry().toNanos())
                .isPresent();
    }

    /**
     * Returns the number of ready slots.
     *
     * @return from 0 to the pool's size
     */
    public synchronized int ready() {
        return ready.size();
    }

    /**
     * Schedules the preparation of slots, before the first command or after one. Returns at once.
     *
     * @param plan the plan that the next command will probably need
     */
    public synchronized void refill(P plan) {
        refill(plan, begun && !prepared ? FIRST_DELAY : settings.delay());
    }

    private synchronized void refill(P plan, Duration delay) {
        if (!closed && !refilling && ready.size() < settings.size() && !hasJustFailed(plan)) {
            refilling = true;
            ScheduledFuture<?> unused = thread.schedule(() -> prepareOne(plan), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void prepareOne(P plan) {
        S slot;
        try {
            slot = preparation.prepare(plan);
        } catch (Exception | Error fault) { // such as no thread left: later slots may still be prepared
            synchronized (this) {
                refilling = false;
                if (!closed) {
                    failed(plan, fault);
                }
            }
            return;
        }
        boolean unwanted;
        synchronized (this) {
            refilling = false;
            prepared = true;
            unwanted = closed;
            if (!closed) {
                ready.addLast(new Entry<>(plan, slot));
                dropLater(settings.idle().toNanos());
                refill(plan, Duration.ZERO);
            }
        }
        if (unwanted) {
            discard.accept(slot);
        }
    }

    private void dropLater(long nanos) {
        if (!closed && drop == null) {
            drop = thread.schedule(this::dropIdle, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Discards idle slots. Checks at intervals, not with every command: rescheduling a timer wakes a thread. */
    private void dropIdle() {
        synchronized (this) {
            drop = null;
            long left = settings.idle().toNanos() - (System.nanoTime() - lastTaken);
            if (left > 0) {
                dropLater(left);
                return;
            }
        }
        drop();
    }

    /** Discards the ready slots. The next command requests new ones. */
    public void drop() {
        List<Entry<P, S>> idle;
        synchronized (this) {
            idle = List.copyOf(ready);
            ready.clear();
        }
        idle.forEach(entry -> discard.accept(entry.slot));
    }

    /** Discards the ready slots and stops preparing. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.shutdown();
        drop();
    }
}
