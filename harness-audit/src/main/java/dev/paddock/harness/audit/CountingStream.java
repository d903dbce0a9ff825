package dev.paddock.harness.audit;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that are read from a command's output. */
final class CountingStream extends InputStream {
    private final InputStream stream;
    private final AtomicLong count = new AtomicLong();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    CountingStream(InputStream stream) {
        this.stream = stream;
    }

    long count() {
        return count.get();
    }

    /** Completes with true at the end of the stream, with false if it was closed earlier. */
    CompletableFuture<Boolean> end() {
        return end;
    }

    @Override
    public int read() throws IOException {
        int value = stream.read();
        counted(value < 0 ? -1 : 1);
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return counted(stream.read(bytes, offset, length));
    }

    private int counted(int number) {
        if (number < 0) {
            end.complete(true);
        } else {
            count.addAndGet(number);
        }
        return number;
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }

    @Override
    public void close() throws IOException {
        end.complete(false);
        stream.close();
    }
}
