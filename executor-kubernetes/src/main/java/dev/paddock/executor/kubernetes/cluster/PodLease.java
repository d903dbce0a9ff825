package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.process.io.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Keeps a managed pod alive: the connection to the input of its main process, at whose end that process
 * exits, and the kernel kills every other process of the container.
 */
public final class PodLease implements Closeable {
    private static final System.Logger LOG = System.getLogger(PodLease.class.getName());

    private final PodStream stream;
    private volatile boolean ended;

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
        return lease;
    }

    private void listen() {
        try {
            stream.deliver((number, bytes, length) -> {});
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the connection to a pod's main process has ended", fault);
        }
        ended = true;
    }

    /** Returns whether the pod may still run, as far as this connection shows. */
    public boolean isOpen() {
        return !ended;
    }

    /** Makes the main process collect the orphans that have ended. */
    public void reap() {
        write("reap\n");
    }

    /** Ends the main process, without waiting for it. */
    @Override
    public void close() {
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
