package dev.paddock.harness.tools.command;

import dev.paddock.harness.tools.output.OutputSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Appends a command's output to a sink, and reports each block. */
final class SinkStream extends OutputStream {
    private final OutputSink sink;
    private final Runnable onData;

    SinkStream(OutputSink sink, Runnable onData) {
        this.sink = sink;
        this.onData = onData;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] block, int from, int length) throws IOException {
        byte[] whole = from == 0 ? block : Arrays.copyOfRange(block, from, from + length);
        if (!sink.append(whole, length)) {
            throw new IOException("the output's sink is closed");
        }
        onData.run();
    }
}
