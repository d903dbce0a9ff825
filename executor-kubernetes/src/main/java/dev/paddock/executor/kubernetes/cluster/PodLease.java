package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.io.Heartbeat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Asks a pod at each {@linkplain Heartbeat heartbeat} whether it answers, since a server between can
 * fall silent while every connection stays open. In a managed pod the main process answers, which ends
 * with this connection, and the kernel then kills every other process of the container; in another pod
 * a process started for that.
 */
public final class PodLease implements Closeable, Heartbeat.Beating {
    private static final System.Logger LOG = LateLogger.of(PodLease.class);

    /**
     * How much longer an answer is awaited that has not arrived by the next beat: the silence is reported
     * within two periods and this, so within 5 seconds (C15). It begins when this JVM finds the answer
     * missing, so that a JVM that was stopped meanwhile still reads the answers that wait for it.
     */
    private static final Duration OVERDUE = Duration.ofMillis(900);

    /** Answers each line, as the main process of a managed pod does. */
    private static final List<String> ANSWER =
            List.of("sh", "-c", "while read -r line && [ \"$line\" != end ]; do echo; done");

    private final PodStream stream;
    private volatile boolean ended;
    private volatile Consumer<String> onSilence = reason -> {};

    /** When the first line was written that has no answer yet; 0 if there is none. */
    private final AtomicLong unanswered = new AtomicLong();

    private PodLease(PodStream stream) {
        this.stream = stream;
    }

    /**
     * Connects to the main process of a running pod.
     *
     * @throws dev.paddock.executor.ExecutorException if it cannot be reached
     */
    public static PodLease of(Cluster cluster, PodName pod) {
        return begin(new PodLease(PodStream.attach(cluster, pod)));
    }

    /**
     * Starts a process in a pod that the executor does not own, which answers until this is closed. A
     * command that kills it leaves the pod without this question until the place is opened again.
     *
     * @throws dev.paddock.executor.ExecutorException if it cannot be started
     */
    public static PodLease pulse(Cluster cluster, PodName pod) {
        return begin(new PodLease(PodStream.exec(cluster, pod, ANSWER, false)));
    }

    private static PodLease begin(PodLease lease) {
        DaemonThreads.virtual("paddock-kubernetes-lease").start(lease::listen);
        Heartbeat.add(lease);
        return lease;
    }

    private void listen() {
        try {
            stream.deliver((number, bytes, length) -> unanswered.set(0));
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the connection to a pod's main process has ended", fault);
        }
        ended = true;
        Heartbeat.remove(this);
    }

    /** Sets what learns that the pod has fallen silent; must return quickly. */
    void onSilence(Consumer<String> listener) {
        onSilence = listener;
    }

    @Override
    public void beat() {
        if (!unanswered.compareAndSet(0, Math.max(1, System.nanoTime()))) {
            awaitAnswer(unanswered.get());
        }
        write("reap\n"); // the main process then collects the orphans that have ended
    }

    private void awaitAnswer(long since) {
        long begun = System.nanoTime();
        CompletableFuture.delayedExecutor(
                        OVERDUE.toMillis(),
                        TimeUnit.MILLISECONDS,
                        DaemonThreads.virtual("paddock-kubernetes-silence")::start)
                .execute(() -> requireAnswer(since, System.nanoTime() - begun));
    }

    private void requireAnswer(long since, long waited) {
        if (since == 0 || unanswered.get() != since || ended) {
            return;
        }
        if (waited > 2 * OVERDUE.toNanos()) {
            awaitAnswer(since); // this JVM was stopped meanwhile
        } else {
            long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
            onSilence.accept("it has not answered for " + silent + " ms");
        }
    }

    /** Returns whether the pod may still run, as far as this connection shows. */
    public boolean isOpen() {
        return !ended;
    }

    /** Ends the process, without waiting for it. */
    @Override
    public void close() {
        Heartbeat.remove(this);
        write("end\n");
        stream.close();
    }

    private void write(String line) {
        try {
            stream.input().write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            LOG.log(System.Logger.Level.DEBUG, "a pod's main process has ended before", closed);
        }
    }
}
