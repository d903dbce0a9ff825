package dev.paddock.harness.loop;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.events.EventEnvelope;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.events.Subscription;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Distributes events to the listeners. Posting is serialized, so that all listeners see the same
 * order.
 */
public final class EventHub {
    private static final Logger LOG = LateLogger.of(EventHub.class);

    private final String session;
    private final Executor workers;
    private final Duration last;
    private final List<ListenerQueue> mailboxes = new CopyOnWriteArrayList<>();

    private int run;
    private long sequence;

    /**
     * Creates a hub.
     *
     * @param session the session's name, for the events' envelopes
     * @param workers run the listeners
     * @param last how long an aborted caller waits for listeners that are behind
     */
    public EventHub(String session, Executor workers, Duration last) {
        this.session = session;
        this.workers = workers;
        this.last = last;
    }

    public Subscription subscribe(SessionListener listener) {
        ListenerQueue mailbox = new ListenerQueue(listener, workers);
        mailboxes.add(mailbox);
        return () -> {
            mailboxes.remove(mailbox);
            mailbox.close();
        };
    }

    public synchronized void post(SessionEvent event) {
        run += event instanceof SessionEvent.RunStarted ? 1 : 0;
        sequence++;
        EventEnvelope envelope = EventEnvelope.of(session, run, sequence, Instant.now(), event);
        for (ListenerQueue mailbox : mailboxes) {
            mailbox.post(envelope);
        }
    }

    /**
     * Waits until all events posted so far have been delivered to the listeners.
     *
     * @param longest how long to wait for a slow listener
     * @param signal once it is aborted, the remaining wait is at most {@code last}
     */
    public void flush(Duration longest, AbortSignal signal) throws InterruptedException {
        CompletableFuture<Void> delivered = CompletableFuture.allOf(
                mailboxes.stream().map(ListenerQueue::delivered).toArray(CompletableFuture<?>[]::new));
        CompletableFuture<Void> hurried = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> hurried.complete(null));
        try {
            long deadline = System.nanoTime() + longest.toNanos();
            CompletableFuture.anyOf(delivered, hurried).get(longest.toNanos(), TimeUnit.NANOSECONDS);
            long rest = Math.max(0, Math.min(deadline - System.nanoTime(), last.toNanos()));
            delivered.get(rest, TimeUnit.NANOSECONDS);
        } catch (TimeoutException dawdles) {
            LOG.log(Level.DEBUG, "A listener is behind, and is not waited for any longer");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            registration.close();
        }
    }

    public void close() {
        mailboxes.forEach(ListenerQueue::close);
        mailboxes.clear();
    }
}
