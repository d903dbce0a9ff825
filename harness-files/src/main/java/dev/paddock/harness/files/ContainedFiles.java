package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.PathWalk.Purpose;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.kernel.ProcessDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Gives contained access to a worktree and to other granted directories and files. Keeps each of them open until it is
 * closed; no path leads out of them, whatever links the walk meets and whatever a command replaces during it.
 *
 * <p>A path is relative to the worktree, or absolute under any of the worktree's names: the host path, the host path
 * with links resolved, or the command path. Every other root has only its command path. If roots are nested, the
 * longest path wins, also during a walk, and {@code ..} leads from a mount to its parent on the command side.
 * Directories above a mount that do not exist on the host are shown, since commands see them. A link is followed if it
 * leads to a location inside, up to 40 of them, by the paths that commands see; one that leads out is refused. The
 * directories in which the kernel shows processes ({@code /proc}) are refused in every root: they would expose this
 * program's own environment.
 *
 * <p>Not prevented: a hard link shares its file with names elsewhere. Unless a rule denies content, the file can be
 * read; it cannot be written through, because a write replaces the name. Where the platform has no
 * {@link java.nio.file.SecureDirectoryStream} (macOS, Windows) each step is checked by path instead, and a program that
 * replaces directories during the call can win a race.
 *
 * <p>Thread-safe.
 */
public final class ContainedFiles implements AutoCloseable {
    private static final int LOCKS = 64;

    private final RootSet roots;
    private final WriteGuard writes;
    private final ReadGuard reads;
    private final ProcessDirectories processes;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();
    private volatile boolean closed;

    private ContainedFiles(RootSet roots, AccessRules rules) throws IOException {
        this.roots = roots;
        this.writes = new WriteGuard(rules.kept(), rules.alsoKept(), roots.first());
        this.reads = new ReadGuard(rules.denyRead(), roots);
        this.processes = ProcessDirectories.find();
    }

    /**
     * Opens the roots; the caller closes the result.
     *
     * @param roots the worktree, in which relative paths start, and the other roots
     * @param rules what may be read and written in them
     * @return the access
     * @throws UncheckedIOException if a root is missing, cannot be opened, or leads through a link although it is not
     *     the first; the cause names it
     */
    public static ContainedFiles open(List<FileRoot> roots, AccessRules rules) {
        return open(roots, rules, Directory::open);
    }

    static ContainedFiles open(List<FileRoot> roots, AccessRules rules, GrantedDirectory.DirectoryOpener opener) {
        if (roots.isEmpty()) {
            throw new IllegalArgumentException("there is no root; give at least one directory");
        }
        List<GrantedDirectory> opened = new ArrayList<>();
        try {
            opened.add(GrantedDirectory.base(roots.getFirst(), opener));
            for (FileRoot root : roots.subList(1, roots.size())) {
                opened.add(GrantedDirectory.other(root, opener));
            }
            return new ContainedFiles(new RootSet(List.copyOf(opened)), rules);
        } catch (IOException e) {
            UncheckedIOException failure = new UncheckedIOException("cannot open a directory for the file tools", e);
            RootSet.closeAll(opened, failure);
            throw failure;
        } catch (RuntimeException malformed) {
            RootSet.closeAll(opened, malformed);
            throw malformed;
        }
    }

    RootSet roots() {
        return roots;
    }

    /**
     * Resolves a path, existing or not, to a location; refuses one that leads out.
     *
     * @throws FileException if the path is malformed or leads out; worded for the model
     */
    public Location locate(String path) throws IOException {
        return locate(path, Purpose.TARGET);
    }

    /** Resolves a path to a location, which is the link itself if its last name is one. */
    public Location locateEntry(String path) throws IOException {
        return locate(path, Purpose.ENTRY);
    }

    /**
     * Returns the paths from which walks reach all roots: the roots outside of every other one, and those whose parent
     * directory does not exist there.
     */
    public List<String> starts() throws IOException {
        Set<String> starts = new LinkedHashSet<>();
        for (GrantedDirectory root : roots.all()) {
            if (roots.isOutermost(root) || !isMet(root.point())) {
                starts.add(root.shown());
            }
        }
        return List.copyOf(starts);
    }

    /** Returns whether a walk of the root around a mount reaches it. */
    private boolean isMet(List<String> point) throws IOException {
        try {
            return leadsToDirectory("/" + String.join("/", point.subList(0, point.size() - 1)));
        } catch (FileException replaced) {
            return false;
        }
    }

    private Location locate(String path, Purpose purpose) throws IOException {
        if (closed) {
            throw new FileException(Reason.CLOSED, path, path + " cannot be used any more: the files are closed");
        }
        GrantedDirectory.Match start = start(path);
        try (PathWalk walk = new PathWalk(this, start.root(), start.below(), shown(path, start), purpose)) {
            return walk.locate();
        }
    }

    private GrantedDirectory.Match start(String path) {
        PathSyntax.requireSane(path);
        List<String> components = GrantedDirectory.components(path);
        GrantedDirectory.Match start = PathSyntax.isAbsolute(path)
                ? roots.match(components).orElseThrow(() -> outside(Reason.NO_ROOT, path))
                : new GrantedDirectory.Match(roots.first(), 0, components);
        PathSyntax.requireReasonable(start.below().size(), path);
        return start;
    }

    /** Returns a path as messages show it: a host path becomes the command path. */
    public String shown(String path) {
        return shown(path, start(path));
    }

    private static String shown(String path, GrantedDirectory.Match start) {
        return PathSyntax.isAbsolute(path) ? start.root().shown(start.below()) : path;
    }

    /**
     * Resolves a path to a location for writing: refuses protected paths and those in a read-only
     * root.
     */
    public Location locateForWriting(String path) throws IOException {
        return permitted(locate(path, Purpose.WRITTEN_TARGET));
    }

    private Location permitted(Location location) throws IOException {
        try {
            writes.check(location);
            RepositoryLayout.check(location);
            return location;
        } catch (FileException | IOException refused) {
            location.close();
            throw refused;
        }
    }

    /**
     * Opens a regular file, unless a rule denies its content.
     *
     * @throws FileException if it is missing, not a file, or denied; worded for the model
     */
    public SeekableByteChannel openFile(Location where) throws IOException {
        where.requireFile();
        return reads.open(where.parent(), where.name(), where.root(), where.resolved(), where.shown());
    }

    /** Opens a regular file found by a walk, unless a rule denies its content. */
    public SeekableByteChannel openFile(TreeWalk.Entry entry) throws IOException {
        return reads.open(entry.in(), entry.name(), entry.root(), entry.resolved(), entry.path());
    }

    /**
     * Passes a file's host path to another program, as {@link HostPath} does.
     *
     * @return the program's result; empty, without a call of the program, if the file is not in the worktree, or the
     *     system cannot detect that the path led elsewhere
     */
    public <T> Optional<T> atHostPath(Location where, Function<Path, T> program) throws IOException {
        if (!where.root().base() || !HostPath.isSupported()) {
            return Optional.empty();
        }
        openFile(where).close(); // all rules about reading it apply
        Object file = Objects.requireNonNull(where.existing().fileKey());
        return Optional.of(new HostPath(roots.outermost(where.root()), where).used(file, program));
    }

    /** Returns whether a rule denies the content of a location. */
    public boolean denies(Location where) {
        return reads.denies(where.root(), where.resolved());
    }

    /** Returns whether a rule denies the content of an entry found by a walk. */
    public boolean denies(TreeWalk.Entry entry) {
        return reads.denies(entry.root(), entry.resolved());
    }

    /** Returns the path of a location in a listing: relative in the worktree, absolute elsewhere. */
    public String listed(Location where) {
        return roots.listed(where.root().seen(where.resolved()));
    }

    /** Returns the path of an entry in a listing, given where its walk started. */
    public String listed(Location start, TreeWalk.Entry entry) {
        return roots.listed(start.root().seen(GrantedDirectory.components(entry.path())));
    }

    /**
     * Returns the attributes of the first entries of a directory by their listed paths, sorted by name; a mount's where
     * it hides an entry.
     */
    public Map<String, BasicFileAttributes> entries(Location where, int most) throws IOException {
        return new VisibleEntries(where, roots).entries(most);
    }

    /**
     * Writes a whole file atomically: readers see either the previous content or all of the new
     * content, except in a file that is a root.
     *
     * @param expected the attributes that the target must still have when the new content replaces
     *     it; empty if any target may be replaced
     */
    public void write(Location where, byte[] content, Optional<BasicFileAttributes> expected, AbortSignal signal)
            throws IOException {
        if (where.root().file().isPresent()) {
            new InPlaceWrite(where, signal).write(content, expected);
            return;
        }
        try (AtomicWrite write = new AtomicWrite(where, roots.outermost(where.root()), signal)) {
            write.prepare(content);
            write.commit(expected);
        }
    }

    /**
     * Creates a directory.
     *
     * @param parents whether missing parents are created too, and an existing directory is no error
     */
    public void makeDirectory(String path, boolean parents) throws IOException {
        try (Location where = permitted(locate(path, Purpose.WRITTEN_ENTRY))) {
            if (where.attributes().isPresent()) {
                if (parents && leadsToDirectory(path)) {
                    return;
                }
                throw new FileException(
                        Reason.ALREADY_EXISTS, where.shown(), where.shown() + " exists already. Choose another name");
            }
            if (!parents && !where.missing().isEmpty()) {
                throw new FileException(
                        Reason.NOT_FOUND,
                        where.shown(),
                        "no such directory: " + where.missing().getFirst() + ", in the path " + where.shown()
                                + ". Create it first, or ask for the parents too");
            }
            try (DirectoryMaker maker = new DirectoryMaker(where, roots.outermost(where.root()))) {
                maker.enterParents();
                maker.enter(where.name());
            }
        }
    }

    private boolean leadsToDirectory(String path) throws IOException {
        try (Location target = locate(path)) {
            return target.attributes().filter(BasicFileAttributes::isDirectory).isPresent();
        }
    }

    /**
     * Removes a file, a link itself, or a directory.
     *
     * @param recursive whether a directory is removed with its content
     */
    public void remove(String path, boolean recursive) throws IOException {
        try (Location where = permitted(locate(path, Purpose.WRITTEN_ENTRY))) {
            new ContainedRemoval(where, roots, writes, processes).run(recursive);
        }
    }

    /**
     * Returns the lock for a file, the same for all its names except hard links, for a read and a write as one
     * operation.
     */
    public ReentrantLock lockOf(Location where) {
        return locks.get(Math.floorMod(where.host().hashCode(), LOCKS));
    }

    /** Returns whether an entry of a root shows the environment and memory of processes. */
    boolean showsProcesses(GrantedDirectory root, BasicFileAttributes entry) {
        return processes.hold(root.path()) || processes.startAt(entry);
    }

    FileException outside(Reason reason, String path) {
        return new FileException(
                reason,
                path,
                path + " is outside " + place() + ". File tools work inside it; paths are relative to it");
    }

    FileException outsideThroughLink(String path) {
        return new FileException(
                Reason.OUTSIDE,
                path,
                path + " leads through a symbolic link that points outside " + place()
                        + ", which file tools do not follow");
    }

    private String place() {
        GrantedDirectory worktree = roots.first();
        return (worktree.writable() ? "the worktree " : "the directory ") + worktree.shown();
    }

    /** Closes the directories. Calls in progress fail or finish; later ones fail. Idempotent. */
    @Override
    public void close() {
        closed = true;
        roots.close();
    }
}
