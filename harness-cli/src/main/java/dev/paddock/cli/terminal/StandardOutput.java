package dev.paddock.cli.terminal;

import dev.paddock.executor.Signal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes to this program's standard output, unbuffered, and keeps the first failure, since a
 * {@link java.io.PrintStream} reports none. {@link Console#exitCode} reports it at the end. Thread-safe.
 */
public final class StandardOutput extends OutputStream {
    private final OutputStream out; // left open: it is the caller's
    private volatile Optional<IOException> failure = Optional.empty();

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException fault) {
            keep(fault);
            throw fault;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException fault) {
            keep(fault);
            throw fault;
        }
    }

    private synchronized void keep(IOException fault) {
        if (failure.isEmpty()) {
            failure = Optional.of(fault);
        }
    }

    /** Returns the first failure; empty if everything was written. */
    public Optional<IOException> failure() {
        return failure;
    }

    /**
     * Returns the exit code for a failed write: that of SIGPIPE if the reader has closed the pipe. The signal would end
     * a native program; the JVM ignores it and receives the failure.
     */
    public static int exitCode(IOException failure) {
        return isClosedPipe(failure) ? 128 + Signal.PIPE.number() : Console.FAILED;
    }

    static boolean isClosedPipe(IOException failure) {
        return Console.text(failure).toLowerCase(Locale.ROOT).contains("broken pipe");
    }
}
