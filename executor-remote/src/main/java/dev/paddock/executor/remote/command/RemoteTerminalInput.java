package dev.paddock.executor.remote.command;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.TypedLine;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The client's end of a command's terminal. Closing it types the end-of-file character; the connection stays open,
 * since an engine that sees its end closes the output, too.
 */
final class RemoteTerminalInput extends OutputStream {
    private static final System.Logger LOG = LateLogger.of(RemoteTerminalInput.class);

    private final OutputStream terminal;
    private final CompletableFuture<ExitStatus> exit;
    private final Supplier<Byte> endOfFile;
    private final ReentrantLock lock = new ReentrantLock();
    private final TypedLine line = new TypedLine();
    private boolean closed;

    /**
     * Creates an input.
     *
     * @param endOfFile determines the end-of-file character, which may take a while; 0 if there is none
     */
    RemoteTerminalInput(OutputStream terminal, CompletableFuture<ExitStatus> exit, Supplier<Byte> endOfFile) {
        this.terminal = terminal;
        this.exit = exit;
        this.endOfFile = endOfFile;
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
                line.typed(bytes[offset + length - 1]);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns at once; the character is typed later. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (!closed && !exit.isDone()) {
                DaemonThreads.virtual("paddock-remote-end-of-file").start(this::typeEndOfFile);
            }
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    private void typeEndOfFile() {
        byte character = endOfFile.get();
        try {
            terminal.write(line.end(character));
        } catch (IOException ended) {
            LOG.log(System.Logger.Level.DEBUG, "a command has ended before its input", ended);
        }
    }
}
