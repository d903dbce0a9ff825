package dev.paddock.harness.workspace.owned;

import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory that its JVM removes after use. Its name contains the JVM's {@link OwnerId} from its creation: if the JVM
 * is killed, the next one that creates such a directory in the same parent removes it, and so does {@link #sweep}. Only
 * the user can enter it.
 */
public final class OwnedDirectory implements AutoCloseable {
    private static final String MARK = "-owner-";
    private static final Pattern NAME = Pattern.compile(".+" + MARK + "([0-9a-f.]+)-[0-9a-z]+");
    private static final int MAX_PREFIX_LENGTH = 100;
    private static final int RADIX = 36;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final FileAttribute<Set<PosixFilePermission>> OWN_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path path;

    private OwnedDirectory(Path path) {
        this.path = path;
    }

    /**
     * Returns the parent of temporary directories, named by the property {@code java.io.tmpdir}.
     *
     * @return an existing directory's real path
     * @throws IOException if there is none
     */
    public static Path temporary() throws IOException {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toRealPath();
    }

    /**
     * Creates an empty directory, after a {@link #sweep} of the same parent.
     *
     * @param in its existing parent
     * @param prefix the beginning of its name, of which at most 100 characters are used
     * @return the directory; the caller closes it
     * @throws IOException if it cannot be created
     */
    public static OwnedDirectory create(Path in, String prefix) throws IOException {
        List<String> unused = sweep(in, SweepMode.REMOVE);
        String start =
                prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX_LENGTH)) + MARK + OwnerId.current() + "-";
        while (true) {
            Path path = in.resolve(start + Long.toString(RANDOM.nextLong(Long.MAX_VALUE), RADIX));
            try {
                return new OwnedDirectory(Files.createDirectory(path, OWN_ALONE).toRealPath());
            } catch (FileAlreadyExistsException taken) {
                // taken: try another name
            }
        }
    }

    /**
     * Removes the directories of dead JVMs, except those of other users.
     *
     * @param in their parent
     * @param mode whether they are removed, or only named
     * @return one phrase per directory: removed, to be removed, or not removable
     * @throws IOException if that directory cannot be listed
     */
    public static List<String> sweep(Path in, SweepMode mode) throws IOException {
        List<String> done = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(in, "*" + MARK + "*")) {
            for (Path left : found) {
                if (isAbandoned(left)) {
                    done.add(mode.apply("remove the directory " + left, () -> removeLeft(left)));
                }
            }
        }
        return done;
    }

    private static boolean isAbandoned(Path left) throws IOException {
        Matcher name = NAME.matcher(String.valueOf(left.getFileName()));
        Optional<OwnerId> owner = name.matches() ? OwnerId.parse(name.group(1)) : Optional.empty();
        return owner.filter(OwnerId::provenDead).isPresent() && isTheUsers(left);
    }

    private static boolean isTheUsers(Path left) throws IOException {
        try {
            Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS)
                    && user.equals(Files.getAttribute(left, "unix:uid", LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException removedMeanwhile) {
            return false;
        }
    }

    private static String removeLeft(Path left) {
        try {
            TreeRemoval.remove(left);
            return "removed the directory " + left;
        } catch (IOException fault) {
            return "could not remove the directory " + left + ": " + FileFaults.reason(fault);
        }
    }

    /** {@return the directory's real path} */
    public Path path() {
        return path;
    }

    /**
     * Removes the directory with its content. Idempotent.
     *
     * @throws IOException if something in it cannot be removed
     */
    @Override
    public void close() throws IOException {
        TreeRemoval.remove(path);
    }
}
