package dev.paddock.executor.process.launch;

import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Terminals;
import dev.paddock.executor.os.stream.PipeInput;
import dev.paddock.executor.os.stream.Poller;
import dev.paddock.executor.os.stream.TerminalInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;

/**
 * A pseudo-terminal for one command, from the JVM's side.
 *
 * <p>The JVM keeps the command's end open as well: while no process has that end open, the other end reports an error
 * that looks like the end of output, both before the command opens it and while the command has closed it temporarily.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class Terminal implements AutoCloseable {
    private static final int CLOSED = -1;

    private final Posix posix;
    private final int number;
    private final PipeInput shown;
    private final TerminalInput input;
    private final InputStream output;

    /** Guards the descriptor of the command's end against being closed, and its number reused, while in use. */
    private final Object gate = new Object();

    private int slave;

    private Terminal(Posix posix, Poller poller, Terminals.Pair pair, int writable) throws NativeFault {
        this.posix = posix;
        number = pair.number();
        slave = pair.slave();
        shown = PipeInput.ofTerminal(posix, poller, pair.master());
        input = new TerminalInput(posix, poller, writable, this::endOfInput);
        output = new Output();
    }

    /** Opens a terminal with the {@code ptmx} file at a path. */
    static Terminal open(Posix posix, Poller poller, String multiplexer, TerminalSize size) throws NativeFault {
        Terminals.Pair pair = posix.terminals().open(multiplexer);
        int writable = CLOSED;
        try {
            writable = posix.terminals().duplicate(pair.master());
            Terminal opened = new Terminal(posix, poller, pair, writable);
            opened.resize(size);
            return opened;
        } catch (NativeFault fault) {
            posix.descriptors().close(pair.slave());
            posix.descriptors().close(pair.master());
            if (writable != CLOSED) {
                posix.descriptors().close(writable);
            }
            throw fault;
        }
    }

    /**
     * Returns the path at which programs open the terminal.
     *
     * @return {@code /dev/pts/N}, in the file system of its {@code ptmx} file
     */
    public String path() {
        return "/dev/pts/" + number;
    }

    /**
     * Returns the terminal's output. Closing it hangs the terminal up.
     *
     * @return the same stream on each call
     */
    public InputStream output() {
        return output;
    }

    /**
     * Returns the terminal's input. Closing it types the end-of-input character, if the terminal has one.
     *
     * @return the same stream on each call
     */
    public OutputStream input() {
        return input;
    }

    private OptionalInt endOfInput() {
        synchronized (gate) {
            return slave == CLOSED ? OptionalInt.empty() : posix.terminals().endOfInput(slave);
        }
    }

    /**
     * Changes the size.
     *
     * @param size the new size
     * @return false after the terminal's end
     */
    public boolean resize(TerminalSize size) {
        synchronized (gate) {
            return slave != CLOSED && posix.terminals().resize(slave, size.columns(), size.rows());
        }
    }

    /** Ends the output as soon as no process has the terminal open. */
    public void leave() {
        synchronized (gate) {
            if (slave != CLOSED) {
                posix.descriptors().close(slave);
                slave = CLOSED;
            }
        }
    }

    /**
     * Ends both streams after the end of the command's tree: buffered output can still be read, but other processes
     * that have the terminal open are not waited for.
     */
    void end() {
        input.end();
        shown.end();
        leave();
    }

    /** Closes a terminal that no process was given. Idempotent. */
    @Override
    public void close() {
        input.end();
        shown.close();
        leave();
    }

    private final class Output extends FilterInputStream {
        Output() {
            super(shown);
        }

        @Override
        public void close() throws IOException {
            super.close();
            input.end();
        }
    }
}
