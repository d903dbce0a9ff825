package dev.paddock.executor.remote.command;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.remote.shell.InputFrames;
import dev.paddock.executor.remote.shell.Slot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The client's end of the command's standard input. */
final class CommandInput extends OutputStream {
    private final Slot slot;
    private final CompletableFuture<ExitStatus> exit;
    private final boolean framed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates an input.
     *
     * @param framed whether the slot takes the input in frames
     */
    CommandInput(Slot slot, CompletableFuture<ExitStatus> exit, boolean framed) {
        this.framed = framed;
        this.slot = slot;
        this.exit = exit;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed.get()) {
            throw new IOException("the standard input is closed");
        }
        if (exit.isDone()) {
            throw new IOException("the command has ended");
        }
        if (framed) {
            InputFrames.write(slot.input(), bytes, offset, length);
        } else {
            slot.input().write(bytes, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true) && !exit.isDone()) {
            if (framed) {
                InputFrames.end(slot.input());
            } else {
                slot.endInput();
            }
        }
    }
}
