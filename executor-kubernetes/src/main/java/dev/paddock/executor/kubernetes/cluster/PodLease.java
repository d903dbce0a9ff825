package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.remote.pulse.Heartbeat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Keeps a managed pod alive: the connection to the input of its main process, at whose end that process
 * exits, and the kernel kills every other process of the container. The process answers each line, since a
 * server between can fall silent while every connection stays open.
 */
public final class PodLease implements Closeable, Heartbeat.Beating {
    private static final System.Logger LOG = System.getLogger(PodLease.class.getName());

    /** Two beats without an answer, and the next one reports the silence: within 5 seconds (C15). */
    private static final Duration SILENCE = Duration.ofMillis(2500);

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
        PodLease lease = new PodLease(PodStream.attach(cluster, pod));
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
        long now = System.nanoTime();
        long since = unanswered.get();
        if (since != 0 && now - since > SILENCE.toNanos()) {
            onSilence.accept("it has not answered for " + TimeUnit.NANOSECONDS.toMillis(now - since) + " ms");
        } else {
            reap();
        }
    }

    /** Returns whether the pod may still run, as far as this connection shows. */
    public boolean isOpen() {
        return !ended;
    }

    /** Makes the main process collect the orphans that have ended, and answer. */
    public void reap() {
        unanswered.compareAndSet(0, Math.max(1, System.nanoTime()));
        write("reap\n");
    }

    /** Ends the main process, without waiting for it. */
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
