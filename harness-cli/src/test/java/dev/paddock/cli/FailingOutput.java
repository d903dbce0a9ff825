package dev.paddock.cli;

import java.io.IOException;
import java.io.OutputStream;

/** An output that takes nothing, as a full device or a pipe without a reader. */
final class FailingOutput extends OutputStream {
    private final String reason;

    FailingOutput(String reason) {
        this.reason = reason;
    }

    @Override
    public void write(int octet) throws IOException {
        throw new IOException(reason);
    }
}
