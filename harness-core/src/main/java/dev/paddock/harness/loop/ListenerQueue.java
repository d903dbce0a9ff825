package dev.paddock.harness.loop;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.events.EventEnvelope;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Delivers one listener's events in order, on a worker that it occupies only while events are
 * pending. Posting never blocks. A pending update is replaced by the next update of the same call,
 * so that the updates of a call do not accumulate for a slow listener.
 */
final class ListenerQueue {
    private static final Logger LOG = LateLogger.of(ListenerQueue.class);

    private final SessionListener listener;
    private final Executor workers;
    private final Deque<Slot> waiting = new ArrayDeque<>();
    private final Map<String, Slot> updates = new HashMap<>();
    private boolean delivering;
    private boolean closed;
    private @Nullable Thread deliverer;

    ListenerQueue(SessionListener listener, Executor workers) {
        this.listener = listener;
        this.workers = workers;
    }

    synchronized void post(EventEnvelope event) {
        if (closed) {
            return;
        }
        if (event.event() instanceof SessionEvent.ToolUpdated update) {
            Slot earlier = updates.get(update.call().id());
            if (earlier != null && earlier.event != null) {
                earlier.event = earlier.event.replacedBy(event);
                return;
            }
            updates.put(update.call().id(), add(event));
        } else {
            add(event);
        }
    }

    private Slot add(EventEnvelope event) {
        Slot slot = new Slot(event);
        waiting.add(slot);
        if (!delivering) {
            delivering = true;
            workers.execute(this::deliverAll);
        }
        return slot;
    }

    /**
     * Returns a future that completes when all events posted so far have been delivered; it is
     * already complete on the listener's own thread.
     */
    synchronized CompletableFuture<Void> delivered() {
        Slot marker = new Slot(null);
        boolean nothingToWaitFor =
                closed || !delivering || Thread.currentThread().equals(deliverer);
        if (nothingToWaitFor) {
            marker.reached.complete(null);
        } else {
            waiting.add(marker);
        }
        return marker.reached;
    }

    synchronized void close() {
        closed = true;
        waiting.forEach(slot -> slot.reached.complete(null));
        waiting.clear();
        updates.clear();
    }

    private void deliverAll() {
        synchronized (this) {
            deliverer = Thread.currentThread();
        }
        for (Slot slot = next(); slot != null; slot = next()) {
            slot.reached.complete(null);
            if (slot.event != null) {
                deliver(slot.event);
            }
        }
    }

    private synchronized @Nullable Slot next() {
        Slot slot = waiting.poll();
        if (slot == null) {
            delivering = false;
            deliverer = null;
        } else if (slot.event != null && slot.event.event() instanceof SessionEvent.ToolUpdated update) {
            updates.remove(update.call().id());
        }
        return slot;
    }

    private void deliver(EventEnvelope event) {
        try {
            listener.onEnvelope(event);
        } catch (RuntimeException | Error fault) {
            LOG.log(
                    Level.WARNING,
                    "A listener failed on " + event.event().getClass().getSimpleName() + "; the session continues",
                    fault);
        }
    }

    /**
     * An event's slot in the queue or, without an event, a marker to wait for. Guarded by the
     * queue's monitor until it is dequeued.
     */
    private static final class Slot {
        private final CompletableFuture<Void> reached = new CompletableFuture<>();
        private @Nullable EventEnvelope event;

        Slot(@Nullable EventEnvelope event) {
            this.event = event;
        }
    }
}
