package dev.paddock.harness;

import dev.paddock.executor.AbortSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings events to the listeners. Posting is serialised, so that all listeners see one order. */
final class EventHub {
    /** How long listeners that are behind are waited for by somebody who wants to be gone. */
    static final Duration LAST = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(EventHub.class);

    private final Executor workers;
    private final List<Mailbox> mailboxes = new CopyOnWriteArrayList<>();

    EventHub(Executor workers) {
        this.workers = workers;
    }

    Subscription subscribe(SessionListener listener) {
        Mailbox mailbox = new Mailbox(listener, workers);
        mailboxes.add(mailbox);
        return () -> {
            mailboxes.remove(mailbox);
            mailbox.close();
        };
    }

    synchronized void post(SessionEvent event) {
        for (Mailbox mailbox : mailboxes) {
            mailbox.post(event);
        }
    }

    /**
     * Waits until the listeners have been given everything posted so far.
     *
     * @param longest how long a listener that dawdles is waited for
     * @param signal once it is aborted, none is waited for longer than {@link #LAST}
     */
    void flush(Duration longest, AbortSignal signal) throws InterruptedException {
        CompletableFuture<Void> delivered = CompletableFuture.allOf(
                mailboxes.stream().map(Mailbox::delivered).toArray(CompletableFuture<?>[]::new));
        CompletableFuture<Void> hurried = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> hurried.complete(null));
        try {
            long deadline = System.nanoTime() + longest.toNanos();
            CompletableFuture.anyOf(delivered, hurried).get(longest.toNanos(), TimeUnit.NANOSECONDS);
            long rest = Math.max(0, Math.min(deadline - System.nanoTime(), LAST.toNanos()));
            delivered.get(rest, TimeUnit.NANOSECONDS);
        } catch (TimeoutException dawdles) {
            LOG.debug("A listener is behind, and is not waited for any longer");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            registration.close();
        }
    }

    void close() {
        mailboxes.forEach(Mailbox::close);
        mailboxes.clear();
    }
}
