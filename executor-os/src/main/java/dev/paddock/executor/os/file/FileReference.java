package dev.paddock.executor.os.file;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Keeps a file open by reference only ({@code O_PATH}). That needs no permission on the file, follows no link at its
 * name, waits for no writer of a pipe, and reaches no device.
 *
 * @param descriptor an open descriptor, which {@link #close} closes
 */
record FileReference(int descriptor) implements AutoCloseable {

    /** Replaces a directory's descriptor: the name is absolute. */
    static final int NO_DIRECTORY = -100;

    private static final int O_PATH_CLOEXEC = 0x280000;
    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final Optional<LibC> LIBRARY =
            LibC.isLinux() && Architecture.current().isPresent() ? LibC.instance() : Optional.empty();

    private static final boolean REOPENS = LIBRARY.isPresent() && Files.isDirectory(Path.of("/proc/self/fd"));

    /**
     * Returns whether files can be opened so: on Linux, if the C library can be called, and {@code /proc}, which
     * reopens a file, is mounted.
     */
    static boolean isSupported() {
        return REOPENS;
    }

    /**
     * Opens a file. Call it only if {@link #isSupported}.
     *
     * @param directory the descriptor of a directory, or {@link #NO_DIRECTORY}
     * @param name a name in it
     * @param whole the file's path, for messages
     * @return the reference; the caller closes it
     * @throws FileSystemException if the file does not exist, or a parent directory cannot be searched
     */
    static FileReference open(int directory, Path name, Path whole) throws FileSystemException {
        return open(directory, name, whole, 0);
    }

    /**
     * Opens a directory as {@link #open} does.
     *
     * @throws java.nio.file.NotDirectoryException if the entry is no directory
     */
    static FileReference openDirectory(int directory, Path name, Path whole) throws FileSystemException {
        return open(directory, name, whole, O_DIRECTORY);
    }

    private static FileReference open(int directory, Path name, Path whole, int kind) throws FileSystemException {
        byte[] bytes = PathBytes.of(name).getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer text = Memory.allocate(bytes.length + 1).put(bytes);
        long result = LIBRARY.orElseThrow()
                .syscall(SystemCall.OPENAT, directory, Memory.address(text), O_PATH_CLOEXEC | O_NOFOLLOW | kind, 0);
        text.clear(); // keeps the buffer reachable up to here
        if (result < 0) {
            throw new Fault((int) -result).at(PathBytes.escaped(whole));
        }
        return new FileReference((int) result);
    }

    /** Returns a path to the file itself; follow it, even if the file is a link. */
    Path path() {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** Opens an entry of this directory, even one that is a link itself. */
    FileReference child(Path name) throws FileSystemException {
        return open(descriptor, name, name);
    }

    BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(path(), BasicFileAttributes.class);
    }

    @Override
    public void close() {
        LIBRARY.ifPresent(library -> library.close(descriptor));
    }
}
