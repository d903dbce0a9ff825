package dev.paddock.harness;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Brings events to the listeners. Posting is serialised, so that all listeners see one order. */
final class EventHub {
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

    /** Waits until the listeners have been given everything posted so far; for a listener that dawdles no longer than this. */
    void flush(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        List<CountDownLatch> latches =
                mailboxes.stream().map(Mailbox::delivered).toList();
        for (CountDownLatch latch : latches) {
            boolean unused = latch.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    void close() {
        mailboxes.forEach(Mailbox::close);
        mailboxes.clear();
    }
}
