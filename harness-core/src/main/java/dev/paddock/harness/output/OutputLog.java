package dev.paddock.harness.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The whole of an output in a file, up to a cap. Never throws at who writes: a full disk costs the log, not the command, and
 * is told in the notice.
 */
final class OutputLog {
    private final Path file;
    private final FileChannel channel;
    private final long capBytes;
    private long written;
    private Optional<String> failure = Optional.empty();

    OutputLog(Path file, FileChannel channel, long capBytes) {
        this.file = file;
        this.channel = channel;
        this.capBytes = capBytes;
    }

    void write(byte[] block, int length) {
        int room = (int) Math.min(length, capBytes - written);
        if (room <= 0 || failure.isPresent()) {
            return;
        }
        ByteBuffer source = ByteBuffer.wrap(block, 0, room);
        try {
            while (source.hasRemaining()) {
                written += channel.write(source);
            }
        } catch (IOException fault) {
            failure = Optional.of(String.valueOf(fault.getMessage()));
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException fault) {
            failure = Optional.of(String.valueOf(fault.getMessage()));
        }
    }

    LogState state() {
        return new LogState(file, written, failure);
    }
}
