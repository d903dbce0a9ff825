package dev.paddock.harness.tools.output;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;

/**
 * Copies a background command's output into a sink until the stream ends or the sink rejects a block. Runs on its own
 * platform thread: a virtual thread that reads a pipe occupies its carrier, so that a few hundred would starve the
 * others.
 */
public final class OutputPump implements Runnable {
    private static final Logger LOG = LateLogger.of(OutputPump.class);

    /**
     * The size of a pipe's buffer: larger blocks are never filled, smaller ones cost more calls.
     */
    public static final int MAX_BLOCK_BYTES = 64 * 1024;

    private final InputStream source;
    private final OutputSink sink;
    private final int blockBytes;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * Creates a pump.
     *
     * @param source the stream to read; closed at the end
     * @param sink receives the blocks
     * @param blockBytes the size of the buffer, at most {@link #MAX_BLOCK_BYTES}; allocated as long as the pump runs
     */
    public OutputPump(InputStream source, OutputSink sink, int blockBytes) {
        this.source = source;
        this.sink = sink;
        this.blockBytes = blockBytes;
    }

    @Override
    public void run() {
        byte[] block = new byte[blockBytes];
        try (source) {
            int length = source.read(block);
            while (length >= 0 && sink.append(block, length)) {
                length = source.read(block);
            }
        } catch (IOException fault) {
            // The stream of a terminated command, or of a lost sandbox, may fail instead of ending. The exit status
            // says how the command ended; here a failure is the end of the stream.
            LOG.log(Level.DEBUG, "A command's output broke off", fault);
        } finally {
            ended.complete(null);
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
}
