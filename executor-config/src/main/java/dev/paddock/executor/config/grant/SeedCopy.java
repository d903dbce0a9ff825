package dev.paddock.executor.config.grant;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.FileContents;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Copies the seeds of a cache: files and directories, up to a sum of data. Preserves holes. Follows no link that
 * replaces a directory meanwhile, since a user may let commands write to the original. Never creates hard links,
 * through which commands could change the original.
 */
final class SeedCopy {
    /** Each level has an open descriptor. */
    private static final int MAX_DEPTH = 512;

    private static final int PERMISSIONS = 0777;

    /** Copies by descriptors; empty where the system has none. */
    private record Descriptors(Kernel calls, FileContents contents) {}

    private final Optional<Descriptors> descriptors;
    private final long most;
    private long left;

    private SeedCopy(Optional<Descriptors> descriptors, long most) {
        this.descriptors = descriptors;
        this.most = most;
        this.left = most;
    }

    /**
     * Prepares copies.
     *
     * @param most the most bytes of data in all copies together
     */
    static SeedCopy upTo(long most) throws IOException {
        if (!Pinned.isByDescriptor() || !Kernel.isAvailable()) {
            return new SeedCopy(Optional.empty(), most);
        }
        Kernel calls = Kernel.create();
        return new SeedCopy(Optional.of(new Descriptors(calls, new FileContents(calls))), most);
    }

    /** Returns whether this user may list a directory and reach its entries. */
    static boolean isOpen(Path directory) {
        return Files.isReadable(directory) && Files.isExecutable(directory);
    }

    /**
     * Copies a directory.
     *
     * @param original its path, for messages
     */
    void copy(Pinned from, Path original, Path to) throws IOException {
        copy(from, original, to, 0);
    }

    private void copy(Pinned from, Path original, Path to, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("it has more than " + MAX_DEPTH + " levels of directories");
        }
        if (!isOpen(from.path())) {
            throw new AccessDeniedException(original.toString());
        }
        Files.createDirectories(to);
        for (Path name : from.names()) {
            try (Pinned entry = from.child(name)) {
                PosixFileAttributes attributes = entry.attributes();
                if (attributes.isDirectory()) {
                    copy(entry, original.resolve(name), to.resolve(name), depth + 1);
                } else if (attributes.isRegularFile() && Files.isReadable(entry.path())) {
                    copyFile(from, name, entry, attributes, to.resolve(name));
                }
            } catch (Fault fault) {
                throw fault.at(PathBytes.escaped(original.resolve(name)));
            }
        }
    }

    private void copyFile(Pinned directory, Path name, Pinned file, PosixFileAttributes attributes, Path copy)
            throws IOException {
        if (descriptors.isEmpty()) {
            require(attributes.size());
            left -= attributes.size();
            copyPlain(file, attributes, copy);
            return;
        }
        Descriptors by = descriptors.get();
        Kernel calls = by.calls();
        int from = calls.openFile(directory.descriptor().orElseThrow(), PathBytes.of(name));
        try {
            Status status = calls.status(from);
            if (status.isFile()) {
                copyFile(by, from, status, copy);
            }
        } finally {
            calls.close(from);
        }
    }

    private void copyFile(Descriptors by, int from, Status status, Path copy) throws IOException {
        Kernel calls = by.calls();
        int to = calls.createFile(Kernel.NO_DIRECTORY, PathBytes.of(copy));
        try {
            left -= by.contents().copy(from, to, status.size(), left);
            calls.setMode(to, status.mode() & PERMISSIONS);
            calls.setModified(to, status.modified());
        } catch (Fault fault) {
            if (fault.is(Fault.EFBIG)) {
                require(Long.MAX_VALUE);
            }
            throw fault;
        } finally {
            calls.close(to);
        }
    }

    private void require(long bytes) throws IOException {
        if (bytes > left) {
            throw new IOException("the caches of your home directory from which it is copied have more than "
                    + (most >> 20) + " MiB of data, the most that is copied; leave cache-from-home out to begin with"
                    + " an empty cache");
        }
    }

    /** Copies the file at its size when it was found. */
    private static void copyPlain(Pinned file, PosixFileAttributes attributes, Path copy) throws IOException {
        try (FileChannel in = FileChannel.open(file.path(), StandardOpenOption.READ);
                FileChannel out = FileChannel.open(
                        copy,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(attributes.permissions()))) {
            long length = 1;
            for (long at = 0; at < attributes.size() && length > 0; at += length) {
                length = in.transferTo(at, attributes.size() - at, out);
            }
        }
        Files.setLastModifiedTime(copy, attributes.lastModifiedTime());
    }
}
