package dev.paddock.executor.tck.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.context.Subjects;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;

/**
 * The directories in which a {@link PolicyCase} is tested: a new directory on the host, with a
 * worktree, directories to mount, and others that are not granted. Files have random contents.
 * Every user may read and write all of it, since commands may run as another user: the file mode is
 * not what denies access.
 *
 * @since 0.1
 */
public final class PolicyFixture implements AutoCloseable {
    private final Path root;
    private final Deque<AutoCloseable> held = new ArrayDeque<>();
    private Optional<Listeners> listeners = Optional.empty();
    private int files;

    private PolicyFixture(Path root) {
        this.root = root;
    }

    /**
     * Creates a new fixture, in the directory for temporary files.
     *
     * @return the fixture; closing it removes the directory
     * @throws IOException if it cannot be made
     */
    public static PolicyFixture create() throws IOException {
        return new PolicyFixture(
                openToAll(Files.createTempDirectory("conformance-").toRealPath()));
    }

    /** Returns the worktree, at the same path on both sides. */
    PathMapping worktree() throws IOException {
        return PathMapping.same(directory("worktree"));
    }

    /** Returns a directory, creating it if it does not exist. */
    Path directory(String name) throws IOException {
        Path made = root;
        for (Path part : Path.of(name)) {
            made = made.resolve(part);
            if (!Files.isDirectory(made)) {
                openToAll(Files.createDirectory(made));
            }
        }
        return made;
    }

    /** Creates a new file with new content, and its directory if that does not exist. */
    Path file(Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        directory(root.relativize(file.resolveSibling("")).toString());
        Files.writeString(file, "content-" + UUID.randomUUID() + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** Creates a new file with a new name. */
    Path file(Path directory) throws IOException {
        return file(directory, newName());
    }

    /** Returns a name that has not been used yet. */
    String newName() {
        files++;
        return "file-" + files;
    }

    /**
     * Creates a file in the user's home; empty if there is no home in which one can be created.
     */
    Optional<Path> fileInHome() throws IOException {
        Path home = Path.of(System.getProperty("user.home", "?"));
        if (!home.isAbsolute() || !Files.isWritable(home)) {
            return Optional.empty();
        }
        Path file = home.toRealPath().resolve(".conformance-" + UUID.randomUUID());
        Files.writeString(file, "content-" + UUID.randomUUID() + "\n");
        held.push(() -> Files.deleteIfExists(file));
        return Optional.of(file);
    }

    /** Returns the servers outside the sandbox; opened with the first call. */
    Listeners listeners() throws IOException {
        if (listeners.isEmpty()) {
            Listeners opened = Listeners.open(root.resolve("socket"));
            held.push(opened);
            listeners = Optional.of(opened);
        }
        return listeners.get();
    }

    /** Returns a unix socket in a directory with a listening host server that accepts every user. */
    Path listeningIn(Path directory) throws IOException {
        Path socket = directory.resolve(newName());
        held.push(ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket), 50));
        return Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** Runs git on the host, without the user's settings. */
    void git(Path directory, String... words) throws IOException {
        String line = "git -c init.defaultBranch=main -c user.name=A -c user.email=a@example.org";
        for (String word : words) {
            line += " " + ShellQuoting.posix(word);
        }
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "umask 0; " + line);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        Process git =
                builder.directory(directory.toFile()).redirectErrorStream(true).start();
        git.getOutputStream().close();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = git.onExit().join().exitValue();
        assumeTrue(code != 127, "this host has no git");
        if (code != 0) {
            throw new IOException(line + " ended with " + code + ": " + output);
        }
    }

    private static Path openToAll(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Override
    public void close() throws IOException {
        try {
            for (AutoCloseable resource : held) {
                resource.close();
            }
        } catch (IOException | RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new IOException("the fixture of a policy case could not be cleared", fault);
        } finally {
            Subjects.remove(root);
        }
    }
}
