package dev.paddock.harness.tools.output;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A log file that is open for writing. */
record LogFile(Path path, FileChannel channel) implements Closeable {

    /** Appends a block; after a failure, the bytes written before it remain. */
    void append(byte[] block, int from, int length) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(block, from, length);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    /** Reads until the target is full. Opens a descriptor for the call, so that only the writer keeps one open. */
    void read(long position, ByteBuffer target) throws IOException {
        try (FileChannel reading = FileChannel.open(path, StandardOpenOption.READ)) {
            reading.position(position);
            while (target.hasRemaining()) {
                if (reading.read(target) < 0) {
                    throw new EOFException(path + " is shorter than what was written");
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
