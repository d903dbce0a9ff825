package dev.paddock.executor.process.warm;

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
 * Keeps a few places for commands prepared, so that their set-up is done before the command is known. A slot serves one
 * command. It is given out only if it was prepared for a plan that equals the one wanted now; others are discarded.
 *
 * <p>Slots are prepared one after the other, on a thread of the pool's, some moments after one was taken: a command that has
 * just been started is not to share the machine with the set-up of the next; after the first command of all, which found none,
 * some more. A preparation that fails is logged, and not
 * tried again until a while has passed and another slot is wanted. Slots that nobody takes are dropped after a while; none is
 * prepared before the first was asked for. While nothing happens the pool has no thread.
 *
 * @param <P> what a slot is prepared for; compared by {@code equals}
 * @param <S> a slot
 */
public final class WarmPool<P, S> implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WarmPool.class.getName());
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    /** A program that runs a single command has mostly ended by then, and slots were prepared for nobody, on its time. */
    static final Duration FIRST_DELAY = Duration.ofMillis(100);

    private final Settings settings;
    private final Preparation<P, S> preparation;
    private final Consumer<S> discard;
    private final ScheduledThreadPoolExecutor thread;
    private final Deque<Slot<P, S>> ready = new ArrayDeque<>();
    private boolean closed;
    private boolean begun;
    private boolean prepared;
    private boolean refilling;
    private long lastTaken = System.nanoTime();
    private long quietUntil = System.nanoTime();
    private @Nullable ScheduledFuture<?> drop;

    /**
     * How a pool behaves.
     *
     * @param name for the thread and for messages
     * @param size how many slots are kept ready; 0 for none
     * @param idle after how long without a command the slots are dropped
     * @param delay how long after a slot was taken the next is prepared
     * @param retry how long after a failed preparation another may be tried
     */
    public record Settings(String name, int size, Duration idle, Duration delay, Duration retry) {
        /** The default of {@link #idle()}: 1 minute. */
        public static final Duration DEFAULT_IDLE = Duration.ofMinutes(1);

        /** The default of {@link #delay()}: 3 milliseconds, in which a short command has started. */
        public static final Duration DEFAULT_DELAY = Duration.ofMillis(3);

        /** The default of {@link #retry()}: 30 seconds. */
        public static final Duration DEFAULT_RETRY = Duration.ofSeconds(30);

        /**
         * The defaults.
         *
         * @param name for the thread and for messages
         * @param size how many slots are kept ready; 0 for none
         */
        public Settings(String name, int size) {
            this(name, size, DEFAULT_IDLE, DEFAULT_DELAY, DEFAULT_RETRY);
        }
    }

    /**
     * Prepares a slot.
     *
     * @param <P> what it is prepared for
     * @param <S> the slot
     */
    @FunctionalInterface
    public interface Preparation<P, S> {
        /**
         * Prepares a slot and returns when it can take a command, or will soon be able to.
         *
         * @param plan what it is prepared for
         * @return the slot
         * @throws Exception if it cannot be prepared; nothing is left of it
         */
        S prepare(P plan) throws Exception;
    }

    private record Slot<P, S>(P plan, S place) {}

    /**
     * Makes an empty pool.
     *
     * @param settings how it behaves
     * @param preparation prepares slots
     * @param discard ends a slot that serves no command
     */
    public WarmPool(Settings settings, Preparation<P, S> preparation, Consumer<S> discard) {
        this.settings = settings;
        this.preparation = preparation;
        this.discard = discard;
        thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name(settings.name() + "-slots").factory());
        thread.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Takes a slot if one is ready, and has the next prepared. Never waits.
     *
     * @param plan what the command needs now
     * @return a slot prepared for an equal plan, the caller's from now on; empty if there is none
     */
    public Optional<S> take(P plan) {
        Optional<S> taken = poll(plan);
        refill(plan);
        return taken;
    }

    /**
     * Takes a slot if one is ready. Never waits, and wakes nobody: {@link #refill} is to follow when the command is on its
     * way.
     *
     * @param plan what the command needs now
     * @return a slot prepared for an equal plan, the caller's from now on; empty if there is none
     */
    public Optional<S> poll(P plan) {
        List<Slot<P, S>> stale = new ArrayList<>();
        Optional<S> taken = Optional.empty();
        synchronized (this) {
            while (taken.isEmpty() && !ready.isEmpty()) {
                Slot<P, S> next = ready.removeFirst();
                if (next.plan.equals(plan)) {
                    taken = Optional.of(next.place);
                } else {
                    stale.add(next);
                }
            }
            begun = true;
            lastTaken = System.nanoTime();
        }
        stale.forEach(slot -> discard.accept(slot.place));
        return taken;
    }

    /**
     * A slot that was taken turned out to be unusable. The caller discards it; the pool waits a while before it prepares
     * another.
     *
     * @param reason what was wrong with it
     */
    public synchronized void failed(Throwable reason) {
        LOG.log(Level.WARNING, settings.name() + ": a prepared slot failed; commands start cold meanwhile", reason);
        quietUntil = System.nanoTime() + settings.retry().toNanos();
    }

    /**
     * How many slots are ready.
     *
     * @return from 0 to the pool's size
     */
    public synchronized int ready() {
        return ready.size();
    }

    /**
     * Has slots prepared, before the first command or after one. Returns at once.
     *
     * @param plan what the next command will need, as far as it is known
     */
    public synchronized void refill(P plan) {
        refill(plan, begun && !prepared ? FIRST_DELAY : settings.delay());
    }

    private synchronized void refill(P plan, Duration delay) {
        if (!closed && !refilling && ready.size() < settings.size() && System.nanoTime() - quietUntil >= 0) {
            refilling = true;
            ScheduledFuture<?> unused = thread.schedule(() -> prepareOne(plan), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void prepareOne(P plan) {
        S place;
        try {
            place = preparation.prepare(plan);
        } catch (Exception | Error fault) { // no thread to be had, say: later commands may still be prepared for
            synchronized (this) {
                refilling = false;
                if (!closed) {
                    failed(fault);
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
                ready.addLast(new Slot<>(plan, place));
                dropLater(settings.idle().toNanos());
                refill(plan, Duration.ZERO);
            }
        }
        if (unwanted) {
            discard.accept(place);
        }
    }

    private void dropLater(long nanos) {
        if (!closed && drop == null) {
            drop = thread.schedule(this::dropIdle, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Looks once in a while, not with every command: setting a timer anew wakes a thread. */
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

    /** Drops what is ready. The next command asks for new ones. */
    public void drop() {
        List<Slot<P, S>> idle;
        synchronized (this) {
            idle = List.copyOf(ready);
            ready.clear();
        }
        idle.forEach(slot -> discard.accept(slot.place));
    }

    /** Discards what is ready and prepares nothing any more. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        thread.shutdown();
        drop();
    }
}
