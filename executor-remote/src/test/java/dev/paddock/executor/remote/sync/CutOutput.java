package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortController;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Aborts when a number of bytes has been written. */
final class CutOutput extends FilterOutputStream {
    private final AbortController abort;
    private long left;

    CutOutput(OutputStream out, long left, AbortController abort) {
        super(out);
        this.left = left;
        this.abort = abort;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        left -= length;
        if (left < 0) {
            abort.abort("enough");
        }
        out.write(bytes, offset, length);
    }
}
