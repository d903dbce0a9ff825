package dev.paddock.harness.tools.output;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Captures a command's output: keeps the tail in memory and, as soon as the output exceeds the tail, writes all of it
 * to a log. Memory is bounded for any output. Thread-safe.
 */
public final class OutputCapture implements OutputSink {
    private final TailBuffer tail = new TailBuffer();
    private final LogDirectory logs;
    private final byte[] head;
    private int headLength;
    private @Nullable OutputLog log;
    private Optional<String> logFailure = Optional.empty();
    private boolean sealed;

    /**
     * Creates an empty capture.
     *
     * @param logs where a log is created if one is needed
     */
    public OutputCapture(LogDirectory logs) {
        this(logs, Captured.MAX_OUTPUT);
    }

    /**
     * Creates an empty capture.
     *
     * @param logs where a log is created if one is needed
     * @param maxOutput how many characters are shown; below {@link Captured#MAX_OUTPUT} the beginning
     *     of a longer output is kept, too
     */
    public OutputCapture(LogDirectory logs, int maxOutput) {
        this.logs = logs;
        this.head = new byte[maxOutput < Captured.MAX_OUTPUT ? maxOutput : 0];
    }

    @Override
    public synchronized boolean append(byte[] block, int length) {
        if (sealed) {
            return false;
        }
        if (length == 0) {
            return true;
        }
        int newlines = TailBuffer.countNewlines(block, length);
        if (log == null && logFailure.isEmpty() && overflows(block, length, newlines)) {
            startLog();
        }
        if (log != null) {
            log.write(block, length);
        }
        int begins = Math.min(length, head.length - headLength);
        System.arraycopy(block, 0, head, headLength, begins);
        headLength += begins;
        tail.append(block, length, newlines);
        return true;
    }

    private boolean overflows(byte[] block, int length, int newlines) {
        long lines = tail.newlines() + newlines + (block[length - 1] == '\n' ? 0 : 1);
        int shown = head.length == 0 ? Tail.MAX_BYTES : head.length;
        return tail.totalBytes() + length > shown || lines > Tail.MAX_LINES;
    }

    private void startLog() {
        try {
            OutputLog started = new OutputLog(logs.create("command"), logs);
            byte[] before = tail.held();
            started.write(before, before.length);
            log = started;
        } catch (IOException fault) {
            logFailure = Optional.of(FileFaults.reason(fault));
        }
    }

    /**
     * Returns the end of the output so far, for display while the command runs.
     *
     * @return the text, as a screen shows it
     */
    public synchronized String soFar() {
        return ScreenText.of(Tail.of(tail, true).text());
    }

    /** Stops accepting output, and closes the log. */
    public synchronized void seal() {
        sealed = true;
        if (log != null) {
            log.close();
        }
    }

    /**
     * Returns the output captured so far.
     *
     * @return the output as captured
     */
    public synchronized Captured captured() {
        LogState state = log == null
                ? new LogState(List.of(), 0, 0, tail.totalBytes(), logFailure)
                : log.state(tail.totalBytes());
        Tail end = Tail.of(tail, !sealed);
        return new Captured(end, state, Captured.Beginning.of(head, headLength, end));
    }
}
