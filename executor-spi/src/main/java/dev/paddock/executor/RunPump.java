package dev.paddock.executor;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.run.OutputSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Optional;

/** Reads one stream of a command to its end: captures, counts and hands it to the callbacks. */
final class RunPump implements Runnable {
    private static final Logger LOG = LateLogger.of(RunPump.class);

    private static final int BLOCK = 1 << 16;

    private final OutputSource from;
    private final InputStream stream;
    private final Optional<OutputStream> file;
    private final Optional<OutputStream> to;
    private final RunCallbacks callbacks;
    private final Optional<LineSplitter> lines;
    private final boolean chunks;
    private final HeadAndTail kept;
    private final Runnable onEnd;
    private volatile boolean ended;
    private volatile boolean discarding;
    private boolean waiting;
    private long reads;
    private long bytes;

    /**
     * The progress of a pump.
     *
     * @param ended whether it has read the stream to its end
     * @param waiting whether it waits for output
     * @param reads how often it has asked for output
     * @param bytes how many it has read
     */
    record State(boolean ended, boolean waiting, long reads, long bytes) {}

    RunPump(
            OutputSource from,
            InputStream stream,
            Optional<OutputStream> file,
            RunOptions options,
            RunCallbacks callbacks,
            Runnable onEnd) {
        this.from = from;
        this.stream = stream;
        this.file = file;
        this.callbacks = callbacks;
        this.lines = options.onLine()
                .map(handler ->
                        new LineSplitter(options.charset(), options.maxLine(), line -> callbacks.line(from, line)));
        this.chunks = options.onChunk().isPresent();
        this.to = from == OutputSource.OUT ? options.toStream() : Optional.empty();
        this.kept = new HeadAndTail(options.capture());
        this.onEnd = onEnd;
    }

    @Override
    public void run() {
        byte[] block = new byte[BLOCK];
        try (stream) {
            for (int length = read(block); length >= 0; length = read(block)) {
                if (!discarding) {
                    pass(block, length);
                }
            }
        } catch (IOException lost) {
            // The stream of a lost command may fail instead of ending: onExit reports the cause.
            LOG.log(Level.DEBUG, "A command's output broke off", lost);
        } finally {
            finish();
        }
    }

    private void finish() {
        if (!discarding) {
            lines.ifPresent(LineSplitter::end);
        }
        file.ifPresent(open -> callbacks.call("toFile", open::close));
        ended = true;
        onEnd.run();
    }

    private int read(byte[] block) throws IOException {
        synchronized (this) {
            waiting = true;
            reads++;
        }
        int length = stream.read(block);
        synchronized (this) {
            waiting = false;
            bytes += Math.max(0, length);
        }
        return length;
    }

    private void pass(byte[] block, int length) {
        kept.append(block, length);
        file.ifPresent(open -> callbacks.call("toFile", () -> open.write(block, 0, length)));
        to.ifPresent(open -> callbacks.call("toStream", () -> {
            open.write(block, 0, length);
            open.flush();
        }));
        if (chunks) {
            callbacks.chunk(from, Arrays.copyOf(block, length));
        }
        lines.ifPresent(splitter -> splitter.append(block, length));
    }

    /** Keeps reading, but discards the output. */
    void discard() {
        discarding = true;
    }

    HeadAndTail kept() {
        return kept;
    }

    synchronized State state() {
        return new State(ended, waiting, reads, bytes);
    }

    /** Returns whether the pump is passing on output that it has read. */
    boolean isBusy() {
        State now = state();
        return !now.ended() && !now.waiting();
    }
}
