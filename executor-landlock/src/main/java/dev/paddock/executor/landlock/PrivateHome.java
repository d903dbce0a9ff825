package dev.paddock.executor.landlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.process.OwnerLabel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An executor's own directory: what its commands have as their home, with a directory for temporary files in it, and beside
 * that what the executor keeps from them. It has a name that nobody can guess, and only the owner enters it (B33).
 */
final class PrivateHome implements AutoCloseable {

    static final String PREFIX = "paddock-landlock-";

    private static final System.Logger LOG = System.getLogger(PrivateHome.class.getName());

    private static final String OWNER = "owner";
    private static final String OWN_ALONE = "rwx------";

    private final Path directory;

    private PrivateHome(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes one.
     *
     * @param parent where; exists
     * @throws IOException if it cannot be made; nothing is left then
     */
    static PrivateHome create(Path parent) throws IOException {
        PrivateHome made =
                new PrivateHome(Files.createTempDirectory(parent, PREFIX).toRealPath());
        try {
            Files.writeString(
                    made.directory.resolve(OWNER), OwnerLabel.current().toString());
            for (Path directory : List.of(made.home(), made.temporary(), made.state())) {
                Files.createDirectory(directory);
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(OWN_ALONE));
            }
            return made;
        } catch (IOException fault) {
            made.close();
            throw fault;
        }
    }

    /** What commands find as {@code HOME}. */
    Path home() {
        return directory.resolve("home");
    }

    /** What commands find as {@code TMPDIR}. */
    Path temporary() {
        return home().resolve("tmp");
    }

    /** The executor's own; no command reaches it. */
    Path state() {
        return directory.resolve("state");
    }

    /** Removes it, with all that commands have left there. What cannot be removed is logged. */
    @Override
    public void close() {
        try {
            remove(directory);
        } catch (IOException fault) {
            LOG.log(Level.WARNING, () -> "What commands left in " + directory + " could not be removed: " + fault);
        }
    }

    /**
     * Removes what dead owners left.
     *
     * @param parent where executors make theirs
     * @return a phrase for each that was removed or could not be
     */
    static List<String> sweep(Path parent) {
        List<String> done = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path left : found) {
                if (isAbandoned(left)) {
                    done.add(removeLeft(left));
                }
            }
        } catch (IOException fault) {
            done.add("directories in " + parent + " could not be looked for: " + fault);
        }
        return done;
    }

    private static String removeLeft(Path left) {
        try {
            remove(left);
            return "directory " + left;
        } catch (IOException fault) {
            return "directory " + left + " could not be removed: " + fault;
        }
    }

    private static boolean isAbandoned(Path directory) {
        try {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")))) {
                return false;
            }
            Optional<OwnerLabel> owner = OwnerLabel.parse(Files.readString(directory.resolve(OWNER), UTF_8));
            return owner.isPresent() && owner.get().provenDead();
        } catch (IOException stillBeingMade) {
            LOG.log(Level.DEBUG, () -> directory + " has no owner's label: " + stillBeingMade);
            return false;
        }
    }

    /**
     * From open directory to open directory, following no link: what a command has left running may put one in the place of
     * any directory at any moment, and what is removed here is removed with the JVM's rights.
     */
    private static void remove(Path directory) throws IOException {
        Path parent = directory.getParent();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent == null ? directory : parent)) {
            if (!(stream instanceof SecureDirectoryStream<Path> safe)) {
                throw new IOException("this platform has no way to enter " + directory + " without following links");
            }
            remove(safe, directory.getFileName());
        } catch (NoSuchFileException gone) {
            LOG.log(Level.DEBUG, () -> directory + " has been removed by somebody else: " + gone);
        }
    }

    private static void remove(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        boolean directory = parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
        if (!directory) {
            parent.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> entered = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            // Some programs close their caches to writing, and nothing can be removed from there.
            entered.getFileAttributeView(PosixFileAttributeView.class)
                    .setPermissions(PosixFilePermissions.fromString(OWN_ALONE));
            for (Path child : entered) {
                remove(entered, child.getFileName());
            }
        }
        parent.deleteDirectory(name);
    }
}
