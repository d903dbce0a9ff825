package dev.paddock.executor.network;

import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pools sockets of a network namespace that are ready to connect there: opening one takes a program, or a container,
 * where the JVM may not join the namespace. Opens none before the first is needed. Thread-safe.
 */
public final class InsideSockets implements AutoCloseable {
    /** How many are opened at once, and the most that are ready. */
    static final int BATCH = 32;

    private final AllowedNetwork.SocketSource source;
    private final Queue<SocketChannel> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicBoolean refilling = new AtomicBoolean();
    private final ReentrantLock opening = new ReentrantLock();
    private volatile boolean closed;

    /**
     * Creates a pool.
     *
     * @param source opens sockets in the namespace
     */
    public InsideSockets(AllowedNetwork.SocketSource source) {
        this.source = source;
    }

    /** Opens the first sockets, unless that has been done. */
    void prepare() throws IOException {
        if (left.get() == 0) {
            open();
        }
    }

    /**
     * Returns a channel that connects in the namespace.
     *
     * @return the channel; the caller closes it
     * @throws IOException if the namespace has ended, or no socket can be opened in it
     */
    SocketChannel take() throws IOException {
        Optional<SocketChannel> taken = poll();
        while (taken.isEmpty()) {
            open();
            taken = poll();
        }
        if (left.get() < BATCH / 2 && refilling.compareAndSet(false, true)) {
            DaemonThreads.virtual("paddock-sockets").start(this::refill);
        }
        return taken.get();
    }

    private Optional<SocketChannel> poll() {
        Optional<SocketChannel> taken = Optional.ofNullable(ready.poll());
        taken.ifPresent(channel -> left.decrementAndGet());
        return taken;
    }

    private void refill() {
        try {
            open();
        } catch (IOException fault) {
            // The next connection tries again, and reports it.
            Accepting.LOG.log(System.Logger.Level.DEBUG, "Sockets could not be opened beforehand", fault);
        } finally {
            refilling.set(false);
        }
    }

    private void open() throws IOException {
        Posix posix = Posix.instance().orElseThrow(() -> new IOException("the C library cannot be called"));
        opening.lock();
        try {
            if (left.get() >= BATCH / 2) {
                return; // another thread has opened some meanwhile
            }
            if (closed) {
                throw new IOException("the network of the commands has ended");
            }
            List<Integer> opened = source.open(SocketPlan.unbound(BATCH));
            try {
                List<SocketChannel> channels = posix.sockets().clients(opened);
                ready.addAll(channels);
                left.addAndGet(channels.size());
            } finally {
                opened.forEach(posix.descriptors()::close);
            }
        } finally {
            opening.unlock();
            if (closed) {
                drop();
            }
        }
    }

    private void drop() {
        for (Optional<SocketChannel> unused = poll(); unused.isPresent(); unused = poll()) {
            Relay.closeQuietly(unused.get());
        }
    }

    /** Closes the unused sockets, and opens no more; connections continue. */
    @Override
    public void close() {
        closed = true;
        drop();
    }
}
