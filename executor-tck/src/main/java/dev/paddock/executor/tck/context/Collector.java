package dev.paddock.executor.tck.context;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Reads a stream to its end on its own thread, and stores the bytes. */
public final class Collector {
    private final String name;
    private final InputStream stream;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean ended;
    private Optional<Exception> fault = Optional.empty();

    public Collector(String name, InputStream stream) {
        this.name = name;
        this.stream = stream;
        Thread.ofPlatform().daemon().name("contract reads " + name).start(this::read);
    }

    private void read() {
        byte[] buffer = new byte[1 << 16];
        try {
            int count = stream.read(buffer);
            while (count >= 0) {
                add(buffer, count);
                count = stream.read(buffer);
            }
            end(Optional.empty());
        } catch (IOException | RuntimeException failed) {
            end(Optional.of(failed));
        }
    }

    private void add(byte[] buffer, int count) {
        lock.lock();
        try {
            bytes.write(buffer, 0, count);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void end(Optional<Exception> failed) {
        lock.lock();
        try {
            ended = true;
            fault = failed;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the stream's end, and returns all bytes. */
    byte[] awaitEnd(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!ended) {
                if (left <= 0) {
                    throw new AssertionError(
                            name + " did not reach its end within " + patience.toMillis() + " ms; so far: " + soFar());
                }
                left = changed.awaitNanos(left);
            }
            if (fault.isPresent()) {
                throw new AssertionError(name + " failed instead of ending; so far: " + soFar(), fault.get());
            }
            return bytes.toByteArray();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the text has arrived. */
    void awaitText(String text, Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!bytes.toString(StandardCharsets.UTF_8).contains(text)) {
                if (left <= 0 || ended) {
                    throw new AssertionError("'" + text.strip() + "' did not arrive on " + name
                            + (ended ? ", which has ended" : " within " + patience.toMillis() + " ms") + "; so far: "
                            + soFar());
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the beginning of the bytes so far, for messages. */
    String soFar() {
        lock.lock();
        try {
            String text = bytes.toString(StandardCharsets.UTF_8);
            return text.length() <= 300
                    ? "'" + text + "'"
                    : "'" + text.substring(0, 300) + "'… (" + bytes.size() + " bytes)";
        } finally {
            lock.unlock();
        }
    }
}
