package dev.paddock.harness.mcp.wire;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queues outgoing messages, one per line, and writes them on its own thread. A slow reader
 * blocks the producer; output is not buffered without bound: the queue holds a few messages, and of
 * progress only the latest.
 */
public final class Outbox implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(Outbox.class);
    private static final int MAX_WAITING = 64;

    /** How many more messages of the thread that reads may wait. */
    private static final int MAX_REPLIES = 64;

    /** How long {@link #close()} waits for the remaining messages to be written. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final OutputStream stream;
    private final Runnable onBroken;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> messages = new ArrayDeque<>();
    private final SequencedSet<ProgressStream> progress = new LinkedHashSet<>();
    private volatile Optional<Thread> reading = Optional.empty();
    private boolean writing;
    private boolean closed;

    /**
     * Starts the writer thread.
     *
     * @param onBroken runs when the stream can no longer be written to
     */
    public Outbox(String name, OutputStream stream, Runnable onBroken) {
        this.stream = stream;
        this.onBroken = onBroken;
        Threads.daemon(name, this::write).start();
    }

    /**
     * Names the thread that reads the other side's messages. More of its own answers may wait: it has to come to a
     * cancellation behind a request that it refuses, also while the other side does not read.
     */
    public void readBy(Thread thread) {
        reading = Optional.of(thread);
    }

    /** Adds a message and returns true, unless the queue is full or closed. */
    public boolean tryPut(Object message) {
        byte[] line = line(message);
        lock.lock();
        try {
            if (closed || messages.size() >= MAX_WAITING) {
                return false;
            }
            messages.add(line);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static byte[] line(Object message) {
        try {
            return WireJson.line(message);
        } catch (IOException fault) {
            throw new IllegalStateException("a message cannot be written as JSON: " + fault.getMessage(), fault);
        }
    }

    /** Adds a message; blocks while the queue is full. A closed queue drops it. */
    public void put(Object message) {
        byte[] line = line(message);
        int most = reading.filter(Thread.currentThread()::equals).isPresent() ? MAX_WAITING + MAX_REPLIES : MAX_WAITING;
        lock.lock();
        try {
            while (messages.size() >= most && !closed) {
                changed.awaitUninterruptibly();
            }
            if (!closed) {
                messages.add(line);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Signals that a progress stream may have new output. Never waits for the reader. */
    public void offer(ProgressStream one) {
        lock.lock();
        try {
            if (!closed && progress.add(one)) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        try {
            for (Optional<byte[]> line = next(); line.isPresent(); line = next()) {
                stream.write(line.get());
                stream.flush();
            }
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "The other side does not read any more", fault);
            shut();
            onBroken.run();
        }
    }

    private Optional<byte[]> next() throws IOException {
        lock.lock();
        try {
            writing = false;
            changed.signalAll();
            while (true) {
                if (closed) {
                    return Optional.empty();
                }
                Optional<byte[]> line = poll();
                if (line.isPresent()) {
                    writing = true;
                    changed.signalAll();
                    return line;
                }
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private Optional<byte[]> poll() throws IOException {
        if (!messages.isEmpty()) {
            return Optional.of(messages.remove());
        }
        while (!progress.isEmpty()) {
            var news = progress.removeFirst().take();
            if (news.isPresent()) {
                return Optional.of(WireJson.line(news.get()));
            }
        }
        return Optional.empty();
    }

    private void shut() {
        lock.lock();
        try {
            closed = true;
            messages.clear();
            progress.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits briefly until the queued messages are written, then ends the thread. The stream stays
     * open.
     */
    @Override
    public void close() {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = FAREWELL.toNanos();
            while (!closed && left > 0 && (writing || !messages.isEmpty())) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException hurried) {
            interrupted = true;
        } finally {
            lock.unlock();
        }
        shut();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
