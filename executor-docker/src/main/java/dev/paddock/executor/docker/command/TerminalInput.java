package dev.paddock.executor.docker.command;

import dev.paddock.executor.ExitStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's end of a command's terminal. Closing it types the end-of-file character; the
 * connection stays open, since an engine that sees its end closes the output, too.
 */
final class TerminalInput extends OutputStream {
    /** {@code ^D}, unless the command has chosen another one. */
    private static final byte END_OF_FILE = 4;

    private final OutputStream terminal;
    private final CompletableFuture<ExitStatus> exit;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean inLine;
    private boolean closed;

    TerminalInput(OutputStream terminal, CompletableFuture<ExitStatus> exit) {
        this.terminal = terminal;
        this.exit = exit;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the standard input is closed");
            }
            if (exit.isDone()) {
                throw new IOException("the command has ended");
            }
            terminal.write(bytes, offset, length);
            if (length > 0) {
                byte last = bytes[offset + length - 1];
                inLine = last != '\n' && last != '\r' && last != END_OF_FILE;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Types the character once at the beginning of a line; within one, the first ends the line. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            if (first && !exit.isDone()) {
                terminal.write(inLine ? new byte[] {END_OF_FILE, END_OF_FILE} : new byte[] {END_OF_FILE});
            }
        } finally {
            lock.unlock();
        }
    }
}
