package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Overwrites a file that is mounted by itself: after a replacement, commands would still see the old file. A concurrent
 * reader, or any reader after a crash, may see part of the content.
 */
record InPlaceWrite(Location where, AbortSignal signal) {

    /**
     * Writes the content.
     *
     * @param expected the attributes that the file must still have
     */
    void write(byte[] content, Optional<BasicFileAttributes> expected) throws IOException {
        BasicFileAttributes found = where.existing();
        AtomicWrite.requireReplaceable(where);
        signal.throwIfAborted(); // once begun, the content is written whole
        try (SeekableByteChannel file = where.parent().openToChange(where.name())) {
            AtomicWrite.requireUnchanged(where, where.parent(), expected.orElse(found));
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                file.write(rest);
            }
            file.truncate(content.length);
        }
    }
}
