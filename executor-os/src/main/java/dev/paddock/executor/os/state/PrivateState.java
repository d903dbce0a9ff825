package dev.paddock.executor.os.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns the private directory of one executor, with the executor's own files and the private directories of its
 * commands; removed with the executor. Only the user can enter it. All such directories are in one {@link #root()},
 * which no policy may grant; a sweep removes those of JVMs that were killed.
 *
 * <p>Names are short: commands create sockets below, whose paths are limited to 107 bytes.
 */
public final class PrivateState implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(PrivateState.class);

    /** The label by which a sweep identifies a directory. Removed last, since a kill may interrupt the removal. */
    private static final String OWNER = "owner";

    private static final String OWN_ALONE = "rwx------";

    private final Path directory;

    private PrivateState(Path directory) {
        this.directory = directory;
    }

    /** Initialized at the first use, and again after a failure. */
    private static volatile Optional<Path> root = Optional.empty();

    /**
     * Returns the parent of all directories of this user's executors: {@code $XDG_STATE_HOME/paddock/run}; {@code
     * $XDG_RUNTIME_DIR/paddock/run} where that cannot be created. Creates it with mode 0700 if it does not exist.
     *
     * @return its real path
     * @throws IOException if neither can be created
     */
    public static Path root() throws IOException {
        Optional<Path> known = root;
        if (known.isEmpty() || !Files.isDirectory(known.get())) {
            known = Optional.of(StateHome.executors());
            root = known;
        }
        return known.get();
    }

    /**
     * Creates a directory for an executor.
     *
     * @param backend the backend's name
     * @return the directory; the caller closes it
     * @throws IOException if it cannot be created; no part of it is left
     */
    public static PrivateState create(String backend) throws IOException {
        return createIn(root(), backend, OwnerId.current().toString());
    }

    static PrivateState createIn(Path root, String backend, String owner) throws IOException {
        PrivateState made = new PrivateState(makeUnique(root, prefix(backend)));
        try {
            Files.writeString(made.directory.resolve(OWNER), owner);
            return made;
        } catch (IOException fault) {
            made.close();
            throw fault;
        }
    }

    private static String prefix(String backend) {
        return backend + "-";
    }

    private static Path makeUnique(Path root, String prefix) throws IOException {
        while (true) {
            Path path = root.resolve(UniqueName.after(prefix));
            try {
                return makeOwnDirectory(path);
            } catch (FileAlreadyExistsException taken) {
                LOG.log(Level.TRACE, () -> path + " is another executor's");
            }
        }
    }

    private static Path makeOwnDirectory(Path path) throws IOException {
        return Files.createDirectory(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWN_ALONE)));
    }

    /** {@return the real path of the executor's directory} */
    public Path directory() {
        return directory;
    }

    /**
     * Creates a subdirectory that only the user can enter.
     *
     * @param name its name, or names with {@code /} between them, all but the last of which exist
     * @return its real path
     * @throws IOException if it cannot be created
     */
    public Path makeDirectory(String name) throws IOException {
        return makeOwnDirectory(directory.resolve(name));
    }

    /** Removes the directory with all files in it, and logs files that cannot be removed. */
    @Override
    public void close() {
        try {
            TreeRemoval.remove(directory, OWNER);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    () -> "What commands left in " + directory + " could not be removed: " + FileFaults.reason(fault));
        }
    }

    /**
     * Removes the directories of executors whose JVMs are proven dead.
     *
     * @param backend the backend's name
     * @param mode whether to remove or only list them
     * @return a phrase for each directory that was removed or would be, and for each that could not be
     */
    public static List<String> sweep(String backend, SweepMode mode) {
        try {
            return sweepIn(root(), backend, mode);
        } catch (IOException fault) {
            return List.of("the directories of dead executors could not be listed: " + FileFaults.reason(fault));
        }
    }

    static List<String> sweepIn(Path root, String backend, SweepMode mode) throws IOException {
        List<String> done = new ArrayList<>();
        for (Path left : abandonedIn(root, backend)) {
            done.add(mode.apply("remove the directory " + left, () -> removeLeft(left)));
        }
        return done;
    }

    /**
     * Returns the directories of executors whose JVMs are proven dead, for a backend that must read them before their
     * removal.
     *
     * @param backend the backend's name
     * @return the directories; closing one removes it, and the others remain
     * @throws IOException if they cannot be listed
     */
    public static List<PrivateState> abandoned(String backend) throws IOException {
        return abandonedIn(root(), backend).stream().map(PrivateState::new).toList();
    }

    private static List<Path> abandonedIn(Path root, String backend) throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root, prefix(backend) + "*")) {
            for (Path each : found) {
                if (isAbandoned(each)) {
                    left.add(each);
                }
            }
        }
        return left;
    }

    private static String removeLeft(Path left) {
        try {
            TreeRemoval.remove(left, OWNER);
            return "removed the directory " + left;
        } catch (IOException fault) {
            return "could not remove the directory " + left + ": " + FileFaults.reason(fault);
        }
    }

    private static boolean isAbandoned(Path directory) {
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && OwnerId.parse(Files.readString(directory.resolve(OWNER), UTF_8))
                            .filter(OwnerId::provenDead)
                            .isPresent();
        } catch (IOException stillBeingMade) {
            LOG.log(Level.DEBUG, () -> directory + " has no owner's label: " + stillBeingMade);
            return false;
        }
    }
}
