package dev.paddock.executor.confined;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.HostEnvironment;
import dev.paddock.executor.process.OwnerLabel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An executor's own directory: what its commands have as their home, with a directory for temporary files in it, and beside
 * that what the executor keeps from them. It has a name that nobody can guess, and only the owner enters it.
 */
public final class PrivateHome implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(PrivateHome.class.getName());

    private static final String OWNER = "owner";
    private static final String HOME = "home";
    private static final String OWN_ALONE = "rwx------";

    private final Path directory;

    private PrivateHome(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes one in the JVM's directory for temporary files.
     *
     * @param backend the backend's name
     * @param policy what the backend's commands are granted; none of it may hold the directory, for then the commands of
     *     other executors could reach it, too
     * @return the directory; the caller closes it
     * @throws UnsupportedPolicyException if something that is granted holds it
     * @throws IOException if it cannot be made; nothing is left then
     */
    public static PrivateHome create(String backend, SandboxPolicy policy) throws IOException {
        Path parent = real(parent());
        requireNotGranted(backend, parent, real(policy.worktree().hostPath()));
        for (Mount mount : policy.mounts()) {
            requireNotGranted(backend, parent, mount.source());
        }
        return createIn(backend, parent);
    }

    static PrivateHome createIn(String backend, Path parent) throws IOException {
        PrivateHome made = new PrivateHome(
                Files.createTempDirectory(parent, prefix(backend)).toRealPath());
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

    private static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    static String prefix(String backend) {
        return "paddock-" + backend + "-";
    }

    private static Path real(Path path) throws IOException {
        return Files.exists(path) ? path.toRealPath() : path;
    }

    private static void requireNotGranted(String backend, Path parent, Path granted) {
        if (parent.startsWith(granted)) {
            throw new UnsupportedPolicyException(
                    backend,
                    List.of("a private home, since the directory for temporary files, '" + parent + "', lies in '"
                            + granted + "', which is granted (set java.io.tmpdir elsewhere)"));
        }
    }

    /**
     * The environment of every command that lives here, before the policy's variables and its own.
     *
     * @param searchPath the value of {@code PATH}
     * @return {@code PATH}, {@code HOME}, {@code TMPDIR}, {@code LANG}, {@code TERM} and {@code JAVA_TOOL_OPTIONS}
     */
    public Map<String, String> environment(String searchPath) {
        Map<String, String> host = HostEnvironment.minimal();
        Map<String, String> env = new TreeMap<>();
        env.put("PATH", searchPath);
        env.put("LANG", host.getOrDefault("LANG", "C.UTF-8"));
        env.put("TERM", host.getOrDefault("TERM", "dumb"));
        // Java looks for no TMPDIR and finds its default closed; that it mentions this on standard error is the lesser
        // evil.
        env.put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary());
        env.put("HOME", home().toString());
        env.put("TMPDIR", temporary().toString());
        return env;
    }

    /**
     * What commands find as {@code HOME}.
     *
     * @return its real path
     */
    public Path home() {
        return directory.resolve(HOME);
    }

    /**
     * What commands find as {@code TMPDIR}.
     *
     * @return a directory in the home
     */
    public Path temporary() {
        return home().resolve("tmp");
    }

    /**
     * The executor's own; no command reaches it.
     *
     * @return a directory beside the home
     */
    public Path state() {
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
     * Removes what dead owners left in the JVM's directory for temporary files.
     *
     * @param backend the backend's name
     * @return a phrase for each that was removed or could not be
     */
    public static List<String> sweep(String backend) {
        return sweep(backend, parent());
    }

    static List<String> sweep(String backend, Path parent) {
        List<String> done = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, prefix(backend) + "*")) {
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
            if (stream instanceof SecureDirectoryStream<Path> safe) {
                remove(safe, directory.getFileName());
            } else {
                removeOutOfReach(directory);
            }
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

    /**
     * Where directories cannot be entered without their paths, as on macOS: the home is put first where no command may
     * follow it. That holds for a sandbox which looks at paths when they are used, as macOS's does.
     */
    static void removeOutOfReach(Path directory) throws IOException {
        Path home = directory.resolve(HOME);
        if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(home, directory.resolve("removed"));
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) throws IOException {
                try (DirectoryStream<Path> children = Files.newDirectoryStream(entered)) {
                    for (Path child : children) {
                        if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                            Files.setPosixFilePermissions(child, PosixFilePermissions.fromString(OWN_ALONE));
                        }
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException fault) throws IOException {
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
