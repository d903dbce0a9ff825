package dev.paddock.executor.docker.command;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.remote.shell.Slot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The client's end of the command's standard input. */
final class CommandInput extends OutputStream {
    private final Slot slot;
    private final CompletableFuture<ExitStatus> exit;
    private final AtomicBoolean closed = new AtomicBoolean();

    CommandInput(Slot slot, CompletableFuture<ExitStatus> exit) {
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
        slot.input().write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true) && !exit.isDone()) {
            slot.endInput();
        }
    }
}
