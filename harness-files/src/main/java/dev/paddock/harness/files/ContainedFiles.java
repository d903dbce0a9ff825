package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.files.kernel.ProcessDirectories;
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
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Gives the file tools contained access to the worktree, to the policy's mounts, and to the
 * read-only directories granted beside them. It holds each of them open as long as the session
 * lives; no path leads out of them, whatever links the walk meets and whatever a command replaces
 * during it.
 *
 * <p>A path is relative to the worktree, or absolute under any of the worktree's names: the host
 * path, the host path with links resolved, or the command-side path. A mount has its command-side
 * path alone. Where one root lies in another, the longest wins, also on the way of a walk, and
 * {@code ..} leads from a mount to its parent on the command's side. A link is followed if it leads
 * to a location inside, up to 40 of them, by the paths that commands see; one that leads out is
 * refused. The directories in which the kernel shows processes ({@code /proc}) are refused in every
 * root: this program would show its own environment there.
 *
 * <p>Not prevented: a hard link shares its file with names elsewhere and cannot be distinguished
 * from them, so the file can be read; it cannot be written through, because a write replaces the
 * name. Where the platform has no {@link java.nio.file.SecureDirectoryStream} (macOS, Windows) each
 * step is checked by path instead, and a program that replaces directories during the call can win
 * a race.
 *
 * <p>Thread-safe.
 */
public final class ContainedFiles implements AutoCloseable {
    private static final int LONGEST_PATH = 4_096;
    private static final int LONGEST_NAME = 255;
    private static final int MOST_COMPONENTS = 256;
    private static final int LOCKS = 64;

    private final GrantedDirectory worktree;
    private final List<GrantedDirectory> roots;
    private final WriteGuard guard;
    private final ProcessDirectories processes;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    private ContainedFiles(List<GrantedDirectory> roots, ProtectedPaths protectedPaths) throws IOException {
        this.worktree = roots.getFirst();
        this.roots = roots;
        this.guard = new WriteGuard(protectedPaths, worktree);
        this.processes = ProcessDirectories.find();
    }

    /**
     * Opens the directories. The caller must close the result to release them.
     *
     * @param worktree the worktree on the host, and its command-side path
     * @param protectedPaths the paths in it that must not be written; everything in a {@code .git}
     *     is refused in addition
     * @param mounts files and directories of the host that commands see besides the worktree
     * @param readOnlyRoots directories outside the worktree that may be read, by absolute host
     *     path: the session's logs
     * @return the access
     * @throws UncheckedIOException if one of them is missing, is not a directory, was replaced by a
     *     link, or cannot be opened; the cause names it
     */
    public static ContainedFiles open(
            PathMapping worktree, ProtectedPaths protectedPaths, List<Mount> mounts, List<Path> readOnlyRoots) {
        return open(worktree, protectedPaths, mounts, readOnlyRoots, Directory::open);
    }

    /**
     * Opens one directory, which is not a worktree, for reading only. The caller must close the
     * result to release it.
     *
     * @param directory the directory on the host
     * @return the access
     * @throws UncheckedIOException if it is missing, is not a directory or cannot be opened; the
     *     cause names it
     */
    public static ContainedFiles openReadOnly(Path directory) {
        try {
            GrantedDirectory root = GrantedDirectory.readOnly(directory, Directory::open);
            return new ContainedFiles(List.of(root), ProtectedPaths.standard());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a directory for reading", e);
        }
    }

    static ContainedFiles open(
            PathMapping worktree,
            ProtectedPaths protectedPaths,
            List<Mount> mounts,
            List<Path> readOnlyRoots,
            GrantedDirectory.DirectoryOpener opener) {
        List<GrantedDirectory> roots = new ArrayList<>();
        try {
            roots.add(GrantedDirectory.worktree(worktree, opener));
            for (Mount mount : mounts) {
                roots.add(GrantedDirectory.mount(mount, opener));
            }
            for (Path path : readOnlyRoots) {
                roots.add(GrantedDirectory.readOnly(path, opener));
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
     * Resolves a path to a location. A path that does not exist has a location too; one that leads
     * out is refused.
     *
     * @throws FileException if the path is malformed or leads out; worded for the model
     */
    public Location locate(String path) throws IOException {
        requireSane(path);
        GrantedDirectory.Match place = isAbsolute(path)
                ? match(path).orElseThrow(() -> outside(path))
                : new GrantedDirectory.Match(worktree, 0, GrantedDirectory.components(path));
        requireReasonable(place.below().size(), path);
        String shown = isAbsolute(path) ? place.root().shown(place.below()) : path;
        try (PathWalk walk = new PathWalk(this, place.root(), place.below(), shown)) {
            return walk.locate();
        }
    }

    /**
     * Reads a whole text file.
     *
     * @param path the file
     * @param mostBytes the largest permitted size
     * @return its text
     * @throws FileException if the path leads out or not to a file, or if the file is larger, is
     *     not UTF-8 or cannot be read; worded for the model
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

    /**
     * Resolves a path to a location for writing: refuses protected paths and those in a read-only
     * root.
     */
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
     * Writes a whole file atomically: readers see either the previous content or all of the new
     * content.
     *
     * @param expected the attributes that the target must still have when the new content replaces
     *     it; empty if any target may be replaced
     */
    public void write(Location where, byte[] content, Optional<BasicFileAttributes> expected, AbortSignal signal)
            throws IOException {
        try (AtomicWrite write = new AtomicWrite(where, outermost(where.root()), signal)) {
            write.prepare(content);
            write.commit(expected);
        }
    }

    /**
     * Returns the lock for a file, the same for all its names except hard links. Held while a file
     * is read and then written as one operation.
     */
    public ReentrantLock lockOf(Location where) {
        return locks.get(Math.floorMod(where.host().hashCode(), LOCKS));
    }

    /**
     * Returns the writable root that holds the host path of another, or that root itself: no
     * command can replace a directory on the way to it.
     */
    private GrantedDirectory outermost(GrantedDirectory root) {
        return roots.stream()
                .filter(other -> other.writable() && other.file().isEmpty())
                .filter(other -> root.path().startsWith(other.path()))
                .min(Comparator.comparingInt(other -> other.path().getNameCount()))
                .orElse(root);
    }

    /** Returns the roots that commands see as entries of a directory, by name. */
    public Map<String, GrantedDirectory> mountedIn(GrantedDirectory root, List<String> below) {
        List<String> directory = new ArrayList<>(root.point());
        directory.addAll(below);
        Map<String, GrantedDirectory> mounted = new TreeMap<>();
        for (GrantedDirectory other : roots) {
            List<String> point = other.point();
            if (point.size() == directory.size() + 1 && GrantedDirectory.startsWith(point, directory)) {
                mounted.putIfAbsent(point.getLast(), other);
            }
        }
        return mounted;
    }

    /**
     * Returns the root that lies on the way down from a directory, the innermost if there are
     * several; empty if the way stays in the directory's root.
     */
    Optional<GrantedDirectory.Match> below(GrantedDirectory root, List<String> done, Collection<String> toGo) {
        if (roots.size() == 1) {
            return Optional.empty();
        }
        List<String> way = new ArrayList<>(root.point());
        way.addAll(done);
        int here = way.size();
        toGo.stream().takeWhile(part -> !part.equals("..")).forEach(way::add);
        return roots.stream()
                .filter(other -> other.point().size() > here && GrantedDirectory.startsWith(way, other.point()))
                .max(Comparator.comparingInt(other -> other.point().size()))
                .map(other -> new GrantedDirectory.Match(
                        other,
                        other.point().size() - here,
                        way.subList(other.point().size(), way.size())));
    }

    /** Returns the root that holds a path of the command's side, given as components. */
    Optional<GrantedDirectory.Match> commandSide(List<String> absolute) {
        return roots.stream()
                .filter(root -> GrantedDirectory.startsWith(absolute, root.point()))
                .max(Comparator.comparingInt(root -> root.point().size()))
                .map(root -> new GrantedDirectory.Match(
                        root, root.point().size(), absolute.subList(root.point().size(), absolute.size())));
    }

    /** Returns whether an entry of a root shows the environment and memory of processes. */
    boolean showsProcesses(GrantedDirectory root, BasicFileAttributes entry) {
        return processes.hold(root.path()) || processes.startAt(entry);
    }

    boolean isAbsolute(String path) {
        try {
            return Path.of(path).isAbsolute() || path.startsWith("/"); // not absolute on Windows
        } catch (InvalidPathException e) {
            throw new FileException(path, "not a path on this system: '" + path + "' (" + e.getReason() + ")");
        }
    }

    /** Returns the root that an absolute path starts in; the innermost if several match. */
    Optional<GrantedDirectory.Match> match(String absolute) {
        List<String> components = GrantedDirectory.components(absolute);
        return matchExactly(components).or(() -> matchExactly(normal(components)));
    }

    private Optional<GrantedDirectory.Match> matchExactly(List<String> components) {
        return roots.stream()
                .flatMap(root -> root.match(components).stream())
                .max(Comparator.comparingInt(GrantedDirectory.Match::length));
    }

    static List<String> normal(List<String> components) {
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
        return (worktree.writable() ? "the worktree " : "the directory ") + worktree.shown();
    }

    /** Closes the directories. Calls in progress fail or finish; later ones fail. Idempotent. */
    @Override
    public void close() {
        UncheckedIOException failure = new UncheckedIOException(new IOException("cannot close the worktree"));
        closeAll(roots, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
