package dev.paddock.harness.tools.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a command's output into a sink until the stream ends, or the sink wants no more. Runs on a platform thread of its
 * own: reading a process's pipe occupies a carrier, so that a few hundred virtual threads doing it would starve the others.
 */
public final class OutputPump implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);

    /** A pipe holds as much: larger blocks are never filled, smaller ones cost more calls. */
    public static final int LARGEST_BLOCK = 64 * 1024;

    private final InputStream source;
    private final OutputSink sink;
    private final int blockBytes;
    private final Runnable onData;
    private final Object monitor = new Object();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long lastDataAt = System.nanoTime();

    /**
     * Makes a pump.
     *
     * @param source what to read; closed at the end
     * @param sink where it goes
     * @param blockBytes how much is read at once, at most {@link #LARGEST_BLOCK}; held as long as the pump runs
     * @param onData run after each block, on the pump's thread; short
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
            // The stream of a command that was ended, or of a sandbox that was lost, may break instead of ending. How
            // the
            // command ended is told by its status; here it is an end like any other.
            LOG.debug("A command's output broke off", fault);
        } finally {
            ended.complete(null);
            wake();
        }
    }

    /**
     * Completes when nothing more comes.
     *
     * @return the same on each call
     */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /**
     * Waits, after the command's main process has ended, for what is still on its way: until the stream has ended and the
     * executor is done with the command, or the executor is done and no data has come for a while, or the longest time is up.
     * Never for the pipe to be closed: a process that escaped may hold it forever.
     *
     * @param settled completes when the executor is done with the command
     * @param quietNanos how long without data is taken for the end
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
