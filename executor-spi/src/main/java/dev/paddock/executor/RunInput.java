package dev.paddock.executor;

import java.io.IOException;
import java.io.OutputStream;

/** A command's input, which remembers whether the command had closed its end. */
final class RunInput extends OutputStream {
    private final OutputStream to;
    private volatile boolean broken;

    RunInput(OutputStream to) {
        this.to = to;
    }

    boolean broken() {
        return broken;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] block, int from, int length) throws IOException {
        try {
            to.write(block, from, length);
        } catch (IOException closed) {
            broken = true;
            throw closed;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            to.flush();
        } catch (IOException closed) {
            broken = true;
            throw closed;
        }
    }

    @Override
    public void close() throws IOException {
        to.close();
    }

    void closeQuietly() {
        try {
            to.close();
        } catch (IOException closed) {
            broken = true;
        }
    }
}
