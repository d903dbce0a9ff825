package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads directories that commands may be replacing meanwhile. The kernel reports the kind of each entry with its name,
 * so that a search makes no call for each file; where the C library cannot be called, the JDK lists the names.
 *
 * <p>Names and paths are bytes, in ISO 8859-1 strings. Not thread-safe.
 */
public final class DirectoryReader {
    private static final int DT_UNKNOWN = 0;
    private static final int DT_DIR = 4;
    private static final int DT_REG = 8;
    private static final int DT_LNK = 10;
    private static final int FIRST_NOT_ASCII = 128;

    private final boolean portable;

    /** Created at the first use: its buffers are large. */
    private Optional<Kernel> kernel = Optional.empty();

    private Optional<Top> top = Optional.empty();

    private DirectoryReader(boolean portable) {
        this.portable = portable;
    }

    /** Creates the fastest reader for this machine. */
    static DirectoryReader create() {
        return new DirectoryReader(!Kernel.isAvailable());
    }

    /** Creates a reader that uses the JDK alone. */
    static DirectoryReader portable() {
        return new DirectoryReader(true);
    }

    enum Kind {
        DIRECTORY,
        FILE,
        LINK,
        /** A pipe, a socket or a device. */
        SPECIAL,
        /** The file system, or the JDK, does not report it. */
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

    @FunctionalInterface
    interface Sink {
        void entry(String name, Kind kind);
    }

    /**
     * Reads a directory.
     *
     * @param directory an absolute path
     * @param opened called when the directory is open, before the first entry is read
     * @param initials the first characters of the regular files to pass on; one that is not ASCII means all that are
     *     not; empty for all files. Files of an unknown kind are always passed on
     * @param sink receives the entries; must not use this reader
     * @throws NotDirectoryException if it is a file or a link
     * @throws NoSuchFileException if it does not exist, or a directory on the path has become a link
     * @throws IOException if the directory is unreadable
     */
    void read(String directory, Runnable opened, String initials, Sink sink) throws IOException {
        if (portable) {
            readPortably(TreeSearch.path(directory), opened, sink);
            return;
        }
        try {
            read(kernel(), directory, opened, new Selected(initials, sink));
        } catch (Fault fault) {
            String name = PathBytes.escaped(directory);
            if (fault.is(Fault.ELOOP)) {
                throw top.isPresent() ? new NoSuchFileException(name) : new NotDirectoryException(name);
            }
            throw fault.at(name);
        }
    }

    private void read(Kernel kernel, String directory, Runnable opened, Selected entries) throws Fault {
        int descriptor = open(kernel, directory);
        try {
            opened.run();
            kernel.list(descriptor, entries);
        } finally {
            kernel.close(descriptor);
        }
    }

    private int open(Kernel kernel, String directory) throws Fault {
        return top.isPresent() && directory.startsWith(top.get().prefix())
                ? kernel.openDirectoryBelow(
                        top.get().descriptor(),
                        directory.substring(top.get().prefix().length()))
                : kernel.openDirectory(Kernel.NO_DIRECTORY, directory);
    }

    /** A directory below which others are opened, by its path with a slash. */
    private record Top(String prefix, int descriptor) {}

    /**
     * Opens the directories below this one relative to it, through no link, until {@link #leave}: a command can
     * exchange a directory on the path for a link, behind which the whole machine would be searched.
     *
     * @param directory an absolute path; if it cannot be opened, nothing changes
     */
    void enter(String directory) throws IOException {
        if (portable) {
            return;
        }
        Kernel calls = kernel();
        try {
            int descriptor = calls.referDirectory(Kernel.NO_DIRECTORY, directory);
            top = Optional.of(new Top(directory.endsWith("/") ? directory : directory + "/", descriptor));
        } catch (Fault unreachable) {
            top = Optional.empty(); // reading it reports the fault
        }
    }

    /** Ends the effect of {@link #enter}. */
    void leave() {
        if (top.isPresent() && kernel.isPresent()) {
            kernel.get().close(top.get().descriptor());
            top = Optional.empty();
        }
    }

    private Kernel kernel() throws IOException {
        if (kernel.isEmpty()) {
            kernel = Optional.of(Kernel.create());
        }
        return kernel.get();
    }

    /** Passes on the entries that are no regular files, and files by the first byte of their names. */
    private static final class Selected implements Kernel.Entries {
        private final boolean[] initials = new boolean[256];
        private final Sink sink;

        Selected(String characters, Sink sink) {
            this.sink = sink;
            Arrays.fill(initials, characters.isEmpty());
            for (int at = 0; at < characters.length(); at++) {
                char initial = characters.charAt(at);
                if (initial < FIRST_NOT_ASCII) {
                    initials[initial] = true;
                } else {
                    Arrays.fill(initials, FIRST_NOT_ASCII, initials.length, true);
                }
            }
        }

        @Override
        public boolean wants(byte type, byte first) {
            return type != DT_REG || initials[first & 0xff];
        }

        @Override
        public void entry(String entry, byte type) {
            sink.entry(entry, Kind.of(type));
        }
    }

    private static void readPortably(Path directory, Runnable opened, Sink sink) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            throw new NotDirectoryException(PathBytes.escaped(directory));
        }
        names(directory, opened, name -> sink.entry(PathBytes.of(name), Kind.UNKNOWN));
    }

    private static void names(Path directory, Runnable opened, Consumer<Path> sink) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolve("."))) {
            opened.run();
            entries.forEach(entry -> sink.accept(entry.getFileName()));
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
    }

    /**
     * Returns the entries that are no regular files, and files with wanted names. Keeps no other names of a directory
     * that may have millions of files.
     *
     * @param initials the first characters of the wanted files, as with {@link #read}
     * @return the entries' paths, in order
     * @throws IOException as with {@link #read}
     */
    List<Path> irregular(Path directory, String initials, Predicate<String> wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        read(PathBytes.of(directory), () -> {}, initials, (name, kind) -> {
            if (!isFile(kind, directory, name) || wanted.test(name)) {
                found.add(directory.resolve(TreeSearch.path(name)));
            }
        });
        found.sort(null);
        return found;
    }

    private static boolean isFile(Kind kind, Path directory, String name) {
        return kind == Kind.FILE
                || (kind == Kind.UNKNOWN
                        && EntryState.of(directory.resolve(TreeSearch.path(name)))
                                .is(EntryState.Kind.FILE));
    }

    /**
     * Returns the entries of a directory, whose path may be that of a descriptor. Opens it by a path that ends in a
     * dot, which the kernel refuses if a command has replaced it with a pipe: opening a pipe would block until somebody
     * writes to it.
     *
     * @return the entries' paths, in order
     * @throws NoSuchFileException if it does not exist
     * @throws IOException if it is no directory, or cannot be read
     */
    public static List<Path> list(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        names(directory, () -> {}, name -> found.add(directory.resolve(name)));
        found.sort(null);
        return found;
    }
}
