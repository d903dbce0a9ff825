package dev.paddock.harness.files.workspace;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** Reads a whole file, and refuses a larger one than permitted. */
record WholeFile(String shown, long most, AbortSignal signal) {
    private static final int BUFFER = 1 << 16;

    byte[] read(SeekableByteChannel channel) throws IOException {
        requireAtMost(channel.size());
        ByteArrayOutputStream content = new ByteArrayOutputStream((int) Math.min(channel.size(), BUFFER));
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer.clear()) >= 0) {
            signal.throwIfAborted();
            content.write(buffer.array(), 0, buffer.position());
            requireAtMost(content.size());
        }
        return content.toByteArray();
    }

    private void requireAtMost(long size) {
        if (size > Math.min(most, Integer.MAX_VALUE - BUFFER)) {
            throw new FileException(
                    Reason.TOO_LARGE,
                    shown,
                    shown + " is larger than " + most + " bytes: " + size + ". Read it in parts, or through a command");
        }
    }
}
