package dev.paddock.harness.tools.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a command's output into a sink until the stream ends or the sink rejects a block. Runs on
 * its own platform thread: reading a process's pipe occupies a carrier thread, so that a few
 * hundred virtual threads doing it would starve the others.
 */
public final class OutputPump implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);

    /**
     * The size of a pipe's buffer: larger blocks are never filled, smaller ones cost more calls.
     */
    public static final int LARGEST_BLOCK = 64 * 1024;

    private final InputStream source;
    private final OutputSink sink;
    private final int blockBytes;
    private final Runnable onData;
    private final Object monitor = new Object();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long lastDataAt = System.nanoTime();

    /**
     * Creates a pump.
     *
     * @param source the stream to read; closed at the end
     * @param sink receives the blocks
     * @param blockBytes the size of the buffer, at most {@link #LARGEST_BLOCK}; held as long as the
     *     pump runs
     * @param onData run after each block, on the pump's thread; must be short
     */
    public OutputPump(InputStream source, OutputSink sink, int blockBytes, Runnable onData) {
        this.source = source;
        this.sink = sink;
        this.blockBytes = blockBytes;
        this.onData = onData;
    }

    @Override
    public void run() {
        byte[] block = new byte[blockBytes];
        try (source) {
            int length = source.read(block);
            while (length >= 0 && sink.append(block, length)) {
                lastDataAt = System.nanoTime();
                onData.run();
                length = source.read(block);
            }
        } catch (IOException fault) {
            // The stream of a terminated command, or of a lost sandbox, may fail instead of ending.
            // The exit status says how the command ended; here a failure counts as the end of the
            // stream.
            LOG.debug("A command's output broke off", fault);
        } finally {
            ended.complete(null);
            wake();
        }
    }

    /**
     * Returns a future that completes at the end of the output.
     *
     * @return the same on each call
     */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /**
     * Drains the remaining output after the command's main process has exited: waits until the
     * stream has ended and the executor has settled the command, or the executor has settled it and
     * no data has arrived for a while, or the longest time is over. Does not wait for the pipe to
     * be closed: an escaped process may hold it open forever.
     *
     * @param settled completes when the executor has settled the command
     * @param quietNanos how long without data counts as the end
     * @param longestNanos the longest time
     * @throws InterruptedException if the thread is interrupted
     */
    public void drain(CompletableFuture<?> settled, long quietNanos, long longestNanos) throws InterruptedException {
        var unused = settled.whenComplete((done, failed) -> wake());
        long start = System.nanoTime();
        synchronized (monitor) {
            while (true) {
                long now = System.nanoTime();
                long left = longestNanos - (now - start);
                boolean executorDone = settled.isDone();
                long quietLeft = quietNanos - Math.min(now - start, now - lastDataAt);
                if (left <= 0 || (executorDone && (ended.isDone() || quietLeft <= 0))) {
                    return;
                }
                long wait = executorDone ? Math.min(left, quietLeft) : left;
                TimeUnit.NANOSECONDS.timedWait(monitor, Math.max(wait, TimeUnit.MILLISECONDS.toNanos(1)));
            }
        }
    }

    private void wake() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }
}
