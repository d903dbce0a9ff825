package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Heartbeat;
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
 * Pings a pod at each {@linkplain Heartbeat heartbeat}, since an intermediate server can fall silent while every
 * connection stays open. In a managed pod the main process answers; it exits with this connection, and the kernel then
 * kills every other process of the container. In another pod a helper process answers.
 */
public final class PodLease implements Closeable, Heartbeat.Beating {
    private static final System.Logger LOG = LateLogger.of(PodLease.class);

    /**
     * Grace for an answer that is missing at the next beat: silence is reported within two periods plus this, so within
     * 5 seconds (C15). It starts when this JVM finds the answer missing, so that a JVM that was stopped still reads
     * answers that arrived meanwhile.
     */
    private static final Duration OVERDUE = Duration.ofMillis(900);

    /** Answers each line, as the main process of a managed pod does. */
    private static final List<String> ANSWER =
            List.of("sh", "-c", "while read -r line && [ \"$line\" != end ]; do echo; done");

    private final PodStream stream;
    private volatile boolean ended;
    private volatile Consumer<String> onSilence = reason -> {};

    /** When the oldest unanswered line was written; 0 if all are answered. */
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
     * Starts a process that answers until this is closed, in a pod that the executor does not own. A command that kills
     * it disables detection until the pod is opened again.
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

    /** Sets the listener for a silent pod; it must return quickly. */
    void onSilence(Consumer<String> listener) {
        onSilence = listener;
    }

    @Override
    public void beat() {
        if (!unanswered.compareAndSet(0, Math.max(1, System.nanoTime()))) {
            awaitAnswer(unanswered.get());
        }
        write("reap\n"); // the main process then reaps exited orphans
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

    /** Returns whether this connection is open, so that the pod may still run. */
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
            LOG.log(System.Logger.Level.DEBUG, "a pod's main process has already exited", closed);
        }
    }
}
