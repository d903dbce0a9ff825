package dev.paddock.harness.tools.output;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of a log, open for writing. */
record LogFile(Path path, FileChannel channel) implements Closeable {

    /** Appends; what was written before a fault stays. */
    void append(byte[] block, int from, int length) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(block, from, length);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    /** Reads until the target is full. With a descriptor of its own: one is held only by who writes. */
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
