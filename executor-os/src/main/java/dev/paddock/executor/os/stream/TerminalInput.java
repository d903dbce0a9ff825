package dev.paddock.executor.os.stream;

import dev.paddock.executor.os.io.TypedLine;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Writes the input of a terminal, as typing does. Closing it types the terminal's end-of-input character, since the
 * terminal itself stays open for the command's output.
 */
public final class TerminalInput extends PipeOutput {
    private final Supplier<OptionalInt> endOfInput;
    private final TypedLine line = new TypedLine();
    private boolean ending;
    private final AtomicBoolean closing = new AtomicBoolean();

    /**
     * Creates the stream.
     *
     * @param descriptor the terminal's master; owned by the stream
     * @param endOfInput returns the current end-of-input character
     */
    public TerminalInput(Posix posix, Poller poller, int descriptor, Supplier<OptionalInt> endOfInput)
            throws NativeFault {
        super(posix, poller, descriptor);
        this.endOfInput = endOfInput;
    }

    @Override
    void written(byte last) {
        line.typed(last);
    }

    @Override
    boolean refuses() {
        return super.refuses() || (closing.get() && !ending);
    }

    /**
     * Types the end of input, as {@link TypedLine} decides; nothing while the terminal has no such character. Waits as
     * a write does while the terminal takes no input; fails a write that waits in another thread.
     */
    @Override
    public void close() {
        boolean first = !closing.getAndSet(true);
        wake();
        if (first) {
            hold(this::typeEnd);
        }
    }

    private void typeEnd() throws IOException {
        OptionalInt character = endOfInput.get();
        if (character.isPresent() && !super.refuses()) {
            ending = true;
            try {
                writeAll(line.end((byte) character.getAsInt()));
            } finally {
                ending = false;
            }
        }
    }

    /** Closes the input without typing, for a terminal that is no longer used. */
    public void end() {
        super.close();
    }
}
