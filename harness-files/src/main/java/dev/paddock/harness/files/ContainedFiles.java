package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The worktree as the file tools may use it, and the read-only directories granted beside it. It holds each of them open
 * for as long as the session lives; no path that it is given leads out of them, whatever links it meets and whatever is
 * swapped while it walks.
 *
 * <p>A path is relative to the worktree, or absolute under any of its names: as the host knows it, with links resolved, or
 * as commands see it. A link is followed if it leads to a place inside, up to 40 of them; one that leads out is refused.
 *
 * <p>What is not prevented: a hard link shares its file with names elsewhere, and nothing tells it apart, so that it can
 * be read; it cannot be written through, because a write replaces the name. Where the platform has no
 * {@link java.nio.file.SecureDirectoryStream} (macOS, Windows) each step is checked by path instead, and a program that
 * swaps directories during the call can win a race.
 *
 * <p>Safe to use from any thread.
 */
public final class ContainedFiles implements AutoCloseable {
    private static final int LONGEST_PATH = 4_096;
    private static final int LONGEST_NAME = 255;
    private static final int MOST_COMPONENTS = 256;
    private static final int LOCKS = 64;

    private final GrantedDirectory worktree;
    private final List<GrantedDirectory> roots;
    private final WriteGuard guard;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    private ContainedFiles(List<GrantedDirectory> roots, ProtectedPaths protectedPaths) {
        this.worktree = roots.getFirst();
        this.roots = roots;
        this.guard = new WriteGuard(protectedPaths);
    }

    /**
     * Opens the directories. Close the result to let go of them.
     *
     * @param worktree the worktree on the host, and its name for commands
     * @param protectedPaths what is not to be written in it; everything in a {@code .git} is refused besides
     * @param readOnlyRoots directories outside the worktree that may be read, by absolute host path: the session's logs
     * @return the access
     * @throws UncheckedIOException if one of them is missing, is not a directory or cannot be opened; the cause names it
     */
    public static ContainedFiles open(PathMapping worktree, ProtectedPaths protectedPaths, List<Path> readOnlyRoots) {
        return open(worktree, protectedPaths, readOnlyRoots, Directory::open);
    }

    /**
     * Opens one directory for reading alone, which is no worktree. Close the result to let go of it.
     *
     * @param directory the directory on the host
     * @return the access
     * @throws UncheckedIOException if it is missing, is not a directory or cannot be opened; the cause names it
     */
    public static ContainedFiles openReadOnly(Path directory) {
        try {
            GrantedDirectory root = GrantedDirectory.open(directory, false, Optional.empty(), Directory::open);
            return new ContainedFiles(List.of(root), ProtectedPaths.standard());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a directory for reading", e);
        }
    }

    static ContainedFiles open(
            PathMapping worktree,
            ProtectedPaths protectedPaths,
            List<Path> readOnlyRoots,
            GrantedDirectory.DirectoryOpener opener) {
        List<GrantedDirectory> roots = new ArrayList<>();
        try {
            roots.add(GrantedDirectory.open(worktree.hostPath(), true, Optional.of(worktree.commandPath()), opener));
            for (Path path : readOnlyRoots) {
                roots.add(GrantedDirectory.open(path, false, Optional.empty(), opener));
            }
            return new ContainedFiles(List.copyOf(roots), protectedPaths);
        } catch (IOException e) {
            UncheckedIOException failure = new UncheckedIOException("cannot open a directory for the file tools", e);
            closeAll(roots, failure);
            throw failure;
        }
    }

    private static void closeAll(List<GrantedDirectory> roots, Exception failure) {
        for (GrantedDirectory root : roots) {
            try {
                root.directory().close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /**
     * Walks to where a path leads. What does not exist is a location too; what leads out is refused.
     *
     * @throws FileException if the path is malformed or leads out, with the words for the model
     */
    public Location locate(String path) throws IOException {
        requireSane(path);
        GrantedDirectory.Match place = isAbsolute(path)
                ? match(path).orElseThrow(() -> outside(path))
                : new GrantedDirectory.Match(worktree, 0, GrantedDirectory.components(path));
        requireReasonable(place.below().size(), path);
        String shown = isAbsolute(path) ? place.root().tell(place.below()) : path;
        try (PathWalk walk = new PathWalk(this, place.root(), place.below(), shown)) {
            return walk.locate();
        }
    }

    /**
     * Reads a text file whole.
     *
     * @param path the file
     * @param mostBytes how large it may be
     * @return its text
     * @throws FileException if the path leads out or to no file, or if the file is larger, is not UTF-8
     *     or cannot be read; with the words for the model
     */
    public String text(String path, int mostBytes) {
        try (Location where = locate(path);
                SeekableByteChannel channel = where.openFile()) {
            ByteBuffer content = ByteBuffer.allocate(mostBytes + 1);
            int read = 0;
            while (read >= 0 && content.hasRemaining()) {
                read = channel.read(content);
            }
            if (!content.hasRemaining()) {
                throw new FileException(path, path + " is larger than " + mostBytes + " bytes: " + channel.size());
            }
            return StandardCharsets.UTF_8.newDecoder().decode(content.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new FileException(path, path + " is not UTF-8 text. Convert it, with iconv for example");
        } catch (IOException e) {
            throw FileException.of(path, e);
        }
    }

    /** Walks to where a path leads in order to write there: neither a protected path nor one in a read-only root. */
    public Location locateForWriting(String path) throws IOException {
        Location location = locate(path);
        try {
            guard.check(location);
            return location;
        } catch (FileException refused) {
            location.close();
            throw refused;
        }
    }

    /**
     * Writes a file whole: readers see what was there or all of the new content.
     *
     * @param expected what must still stand there when the new content takes its place; empty if anything may
     */
    public void write(Location where, byte[] content, Optional<BasicFileAttributes> expected, AbortSignal signal)
            throws IOException {
        try (AtomicWrite write = new AtomicWrite(where, signal)) {
            write.prepare(content);
            write.commit(expected);
        }
    }

    /** One lock for all names of a file, links apart. Held while a file is read and written in one go. */
    public ReentrantLock lockOf(Location where) {
        return locks.get(Math.floorMod(where.resolved().hashCode(), LOCKS));
    }

    boolean isAbsolute(String path) {
        try {
            return Path.of(path).isAbsolute() || path.startsWith("/"); // the latter is no absolute path on Windows
        } catch (InvalidPathException e) {
            throw new FileException(path, "not a path on this system: '" + path + "' (" + e.getReason() + ")");
        }
    }

    /** The root that an absolute path starts in; where several fit, the innermost. */
    Optional<GrantedDirectory.Match> match(String absolute) {
        List<String> components = GrantedDirectory.components(absolute);
        return matchExactly(components).or(() -> matchExactly(normal(components)));
    }

    private Optional<GrantedDirectory.Match> matchExactly(List<String> components) {
        return roots.stream()
                .flatMap(root -> root.match(components).stream())
                .max(Comparator.comparingInt(GrantedDirectory.Match::length));
    }

    private static List<String> normal(List<String> components) {
        Deque<String> normal = new ArrayDeque<>();
        for (String part : components) {
            if (part.equals("..")) {
                normal.pollLast();
            } else {
                normal.addLast(part);
            }
        }
        return List.copyOf(normal);
    }

    private static void requireSane(String path) {
        if (path.isEmpty()) {
            throw new FileException(path, "the path is empty. Name a file, or '.' for the worktree");
        }
        if (path.indexOf('\0') >= 0) {
            throw new FileException(path, "the path contains a NUL character: '" + path.replace("\0", "\\0") + "'");
        }
        if (bytes(path) > LONGEST_PATH) {
            throw new FileException(path, "the path is longer than " + LONGEST_PATH + " bytes: " + bytes(path));
        }
        for (String name : GrantedDirectory.components(path)) {
            if (bytes(name) > LONGEST_NAME) {
                throw new FileException(
                        path, "a name in the path is longer than " + LONGEST_NAME + " bytes: '" + name + "'");
            }
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static void requireReasonable(int components, String shown) {
        if (components > MOST_COMPONENTS) {
            throw new FileException(shown, "the path has more than " + MOST_COMPONENTS + " components: " + shown);
        }
    }

    FileException outside(String path) {
        return new FileException(
                path, path + " is outside " + place() + ". File tools work inside it; paths are relative to it");
    }

    FileException outsideThroughLink(String path) {
        return new FileException(
                path,
                path + " leads through a symbolic link to a place outside " + place()
                        + ", which file tools do not follow");
    }

    private String place() {
        return (worktree.writable() ? "the worktree " : "the directory ") + worktree.told();
    }

    /** Lets go of the directories. Calls under way fail or finish; later ones fail. Idempotent. */
    @Override
    public void close() {
        UncheckedIOException failure = new UncheckedIOException(new IOException("cannot close the worktree"));
        closeAll(roots, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
