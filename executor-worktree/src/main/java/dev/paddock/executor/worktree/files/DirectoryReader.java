package dev.paddock.executor.worktree.files;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.process.posix.Errno;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.Memory;
import dev.paddock.executor.process.posix.SystemCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads directories by {@code getdents64(2)}. The kernel reports the kind of each entry with its
 * name, so that a search makes no call for each file, as the JDK's walk does.
 *
 * <p>Names and paths are bytes, in ISO 8859-1 strings. Not safe for use by several threads.
 */
final class DirectoryReader {
    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();

    /** {@code O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK}. */
    private static final int OPEN = (ARM ? 0x4000 | 0x8000 : 0x10000 | 0x20000) | 0x80000 | 0x800;

    private static final int AT_FDCWD = -100;
    private static final int ELOOP = 40;
    private static final int MAX_PATH_LENGTH = 4095;

    /** In a {@code struct linux_dirent64}: the record's length, the kind, and the name. */
    private static final int LENGTH = 16;

    private static final int KIND = 18;
    private static final int NAME = 19;

    private final LibC library;
    private final ByteBuffer path = Memory.allocate(MAX_PATH_LENGTH + 1);
    private final ByteBuffer buffer = Memory.allocate(32 << 10);
    private final byte[] entries = new byte[buffer.capacity()];

    private static final int DT_UNKNOWN = 0;
    private static final int DT_DIR = 4;
    private static final int DT_REG = 8;
    private static final int DT_LNK = 10;

    /** The kinds of entries. */
    enum Kind {
        DIRECTORY,
        /** A regular file. */
        FILE,
        LINK,
        /** A pipe, a socket or a device. */
        SPECIAL,
        /** The file system does not report it. */
        UNKNOWN;

        private static Kind of(byte type) {
            return switch (type) {
                case DT_UNKNOWN -> UNKNOWN;
                case DT_DIR -> DIRECTORY;
                case DT_REG -> FILE;
                case DT_LNK -> LINK;
                default -> SPECIAL;
            };
        }
    }

    /** Receives entries. */
    @FunctionalInterface
    interface Sink {
        /** Receives an entry; {@code .} and {@code ..} are none. */
        void entry(String name, Kind kind) throws IOException;
    }

    /**
     * Selects regular files by the first byte of their names. Other entries always count as selected, and so do
     * those whose kind is unknown.
     */
    static final class Selection {
        private static final int FIRST_NOT_ASCII = 128;

        /** Selects every entry. */
        static final Selection ALL = new Selection(true);

        private final boolean[] initials = new boolean[256];

        private Selection(boolean all) {
            Arrays.fill(initials, all);
        }

        /**
         * Selects all entries that are not regular files, those whose names begin with one of the
         * characters, and all that do not begin with an ASCII character if one of them is none.
         */
        static Selection irregularAndBeginningWith(String initials) {
            Selection selection = new Selection(false);
            selection.add(initials);
            return selection;
        }

        private void add(String characters) {
            for (int at = 0; at < characters.length(); at++) {
                char initial = characters.charAt(at);
                if (initial < FIRST_NOT_ASCII) {
                    initials[initial] = true;
                } else {
                    Arrays.fill(initials, FIRST_NOT_ASCII, initials.length, true);
                }
            }
        }

        private boolean selects(byte type, byte first) {
            return type != DT_REG || initials[first & 0xff];
        }
    }

    private DirectoryReader(LibC library) {
        this.library = library;
    }

    /** Creates a reader; empty elsewhere than on Linux, and where the C library cannot be called. */
    static Optional<DirectoryReader> create() {
        return LibC.isLinux() && Architecture.current().isPresent()
                ? LibC.instance().map(DirectoryReader::new)
                : Optional.empty();
    }

    /**
     * Reads a directory.
     *
     * @param directory an absolute path
     * @param opened called when the directory is open, before the first entry is read
     * @param selection the entries to pass on
     * @param sink receives them; must not use this reader
     * @throws NotDirectoryException if another file, or a link, stands there
     * @throws NoSuchFileException if nothing stands there
     * @throws IOException if the directory is unreadable
     */
    void read(String directory, Runnable opened, Selection selection, Sink sink) throws IOException {
        int descriptor = open(directory);
        try {
            opened.run();
            for (int length = next(descriptor, directory); length > 0; length = next(descriptor, directory)) {
                buffer.get(0, entries, 0, length);
                decode(length, selection, sink);
            }
        } finally {
            library.close(descriptor);
        }
    }

    private int open(String directory) throws FileSystemException {
        byte[] bytes = directory.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length > MAX_PATH_LENGTH) {
            throw new FileSystemException(PathBytes.escaped(directory), null, "the path is too long");
        }
        path.put(0, bytes).put(bytes.length, (byte) 0);
        return orFault(library.syscall(SystemCall.OPENAT, AT_FDCWD, Memory.address(path), OPEN, 0), directory);
    }

    private int next(int descriptor, String directory) throws FileSystemException {
        return orFault(
                library.syscall(SystemCall.GETDENTS64, descriptor, Memory.address(buffer), buffer.capacity()),
                directory);
    }

    private static int orFault(long result, String directory) throws FileSystemException {
        if (result >= 0) {
            return (int) result;
        }
        String name = PathBytes.escaped(directory);
        throw switch ((int) -result) {
            case Errno.ENOENT -> new NoSuchFileException(name);
            case Errno.ENOTDIR, ELOOP -> new NotDirectoryException(name);
            case Errno.EACCES -> new AccessDeniedException(name);
            default -> new FileSystemException(name, null, Errno.text((int) -result));
        };
    }

    private void decode(int length, Selection selection, Sink sink) throws IOException {
        int at = 0;
        while (at < length) {
            byte type = entries[at + KIND];
            if (selection.selects(type, entries[at + NAME]) && !isDots(at + NAME)) {
                pass(at + NAME, Kind.of(type), sink);
            }
            at += (entries[at + LENGTH] & 0xff) | (entries[at + LENGTH + 1] & 0xff) << 8;
        }
    }

    private void pass(int start, Kind kind, Sink sink) throws IOException {
        int end = start;
        while (entries[end] != 0) {
            end++;
        }
        String name = new String(entries, start, end - start, StandardCharsets.ISO_8859_1);
        sink.entry(name, kind);
    }

    /** Returns whether a name is {@code .} or {@code ..}, which every directory has. */
    private boolean isDots(int start) {
        return entries[start] == '.'
                && (entries[start + 1] == 0 || (entries[start + 1] == '.' && entries[start + 2] == 0));
    }
}
