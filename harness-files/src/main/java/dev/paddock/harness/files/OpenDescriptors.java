package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds the descriptor of an open channel. Java has no call for that: this moves the channel to an unguessable
 * position, and searches this process's descriptors for one with that position, in {@code /proc/self/fdinfo}.
 */
final class OpenDescriptors {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path POSITIONS = Path.of("/proc/self/fdinfo");

    /** Every file system allows offsets above the first; the second may be the highest. */
    private static final long MIN_POSITION = 1 << 20;

    private static final long MAX_POSITION = Integer.MAX_VALUE;

    /** The last descriptor found: the kernel reuses the lowest first. */
    private volatile String likely = "";

    /**
     * The descriptor of a file that stays open.
     *
     * @param link the symbolic link in {@code /proc} to the open file itself
     */
    record Descriptor(Path link) {

        /** Returns how many hard links the open file has. */
        int links() throws IOException {
            return (Integer) Files.getAttribute(link, "unix:nlink");
        }

        /**
         * Returns the current path of the name by which the file was opened, even if its directory was renamed;
         * {@code (deleted)} follows it if the name was removed or replaced.
         */
        Path path() throws IOException {
            return Files.readSymbolicLink(link);
        }
    }

    /** Returns whether the system reports the positions of descriptors. */
    static boolean areKnown() {
        return Files.isDirectory(POSITIONS) && Files.isDirectory(DESCRIPTORS);
    }

    /**
     * Returns the descriptor of a regular file, and moves the channel to its beginning.
     *
     * @throws IOException if it cannot be found
     */
    Descriptor of(SeekableByteChannel file) throws IOException {
        long mark = ThreadLocalRandom.current().nextLong(MIN_POSITION, MAX_POSITION);
        file.position(mark);
        try {
            String descriptor = find("pos:\t" + mark + "\n");
            likely = descriptor;
            return new Descriptor(DESCRIPTORS.resolve(descriptor));
        } finally {
            file.position(0);
        }
    }

    private String find(String mark) throws IOException {
        String first = likely;
        if (!first.isEmpty() && isAt(first, mark)) {
            return first;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(POSITIONS)) {
            for (Path one : all) {
                String descriptor =
                        Optional.ofNullable(one.getFileName()).orElseThrow().toString();
                if (isAt(descriptor, mark)) {
                    return descriptor;
                }
            }
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
        throw new IOException("the descriptor of an open file was not found in " + POSITIONS);
    }

    /**
     * Returns whether a descriptor is at a position. Other threads close theirs: then the kernel finds no entry, or
     * fails the read of the entry with a plain IOException.
     */
    private static boolean isAt(String descriptor, String mark) {
        try {
            return Files.readString(POSITIONS.resolve(descriptor)).startsWith(mark);
        } catch (IOException closed) {
            return false;
        }
    }
}
