package dev.paddock.executor.bwrap;

import dev.paddock.executor.bwrap.BwrapPlan.Rooms;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An executor's own directories on the host: what its commands see as {@code /tmp}, home and {@code /etc}. They stand in a
 * directory with an unpredictable name that only the owner can enter.
 */
final class PrivateRooms implements AutoCloseable {
    static final String PREFIX = "paddock-bwrap-";

    private static final System.Logger LOG = System.getLogger(PrivateRooms.class.getName());

    private static final String OWNER = "owner";

    private final Path directory;
    private final Rooms rooms;

    private PrivateRooms(Path directory) {
        this.directory = directory;
        this.rooms = new Rooms(directory.resolve("tmp"), directory.resolve("home"), directory.resolve("etc"));
    }

    /**
     * Makes them.
     *
     * @param parent where, mostly the JVM's temporary directory
     * @param owner the label by which a sweep knows whether they are still somebody's
     * @param network whether the sandbox reaches the network
     */
    static PrivateRooms create(Path parent, String owner, boolean network) throws IOException {
        PrivateRooms made =
                new PrivateRooms(Files.createTempDirectory(parent, PREFIX).toRealPath());
        try {
            Files.writeString(made.directory.resolve(OWNER), owner);
            makeDirectory(made.rooms.tmp(), "rwxrwxrwx");
            setSticky(made.rooms.tmp());
            makeDirectory(made.rooms.home(), "rwx------");
            makeDirectory(made.rooms.etc(), "rwxr-xr-x");
            EtcRoom.furnish(made.rooms.etc(), network, BwrapPlan.HOME);
            return made;
        } catch (IOException fault) {
            made.close();
            throw fault;
        }
    }

    /** Where they are made: the JVM's temporary directory. */
    static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    Rooms rooms() {
        return rooms;
    }

    Path directory() {
        return directory;
    }

    /** The label of whoever made a directory like these; empty if that is none or still being made. */
    static Optional<String> owner(Path directory) {
        try {
            return Optional.of(Files.readString(directory.resolve(OWNER))).filter(label -> !label.isEmpty());
        } catch (IOException noLabel) {
            LOG.log(Level.DEBUG, () -> directory + " has no owner's label: " + noLabel);
            return Optional.empty();
        }
    }

    private static void makeDirectory(Path path, String permissions) throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions)); // whatever the umask
    }

    private static void setSticky(Path tmp) throws IOException {
        Files.setAttribute(tmp, "unix:mode", 01777);
    }

    /** Removes them with everything that commands have left there. What cannot be removed is logged. */
    @Override
    public void close() {
        remove(directory);
    }

    /** Removes a directory and what is in it, following no link. */
    static void remove(Path directory) {
        try {
            Files.walkFileTree(directory, new Removal());
        } catch (IOException fault) {
            LOG.log(Level.WARNING, () -> "What commands left in " + directory + " could not be removed: " + fault);
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {

        /** A command may have closed its directories even to their owner. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
            if (fault instanceof AccessDeniedException && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                open(file);
                Files.walkFileTree(file, new Removal());
                return FileVisitResult.CONTINUE;
            }
            throw fault;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
                open(directory);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException fault) throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }

        private static void open(Path directory) throws IOException {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
