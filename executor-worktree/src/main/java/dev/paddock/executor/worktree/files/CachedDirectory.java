package dev.paddock.executor.worktree.files;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory as of one change time, each read at its first use. On a file system that does not update a
 * directory's times with every change, each examination reads them again. A path to a non-directory, or to nothing,
 * counts as an empty directory.
 */
public final class CachedDirectory {
    /** In a larger directory, looking up single names is faster than listing. */
    private static final long MAX_LISTED = 1 << 20;

    /** No name begins with it. */
    private static final String NO_INITIAL = "/";

    private final Path path;
    private final Optional<FileStatus> status;
    private boolean conclusive;
    private final Map<String, Boolean> present = new HashMap<>();

    /** The answers of {@link #among}. */
    private final IdentityHashMap<Collection<String>, List<String>> among = new IdentityHashMap<>();

    private @Nullable List<Path> children;
    private @Nullable List<Path> irregular;
    private @Nullable List<Path> directoriesAndLinks;
    private boolean readable;

    private final DirectoryReader reader;

    CachedDirectory(Path path, Optional<FileStatus> status, long taken, DirectoryReader reader) {
        this(path, status, status.isEmpty() || showsChanges(path, status.get(), taken), true, reader);
    }

    /** Returns whether every later change of the entries also changes the status. */
    private static boolean showsChanges(Path path, FileStatus status, long taken) {
        return status.isSettledAt(taken) && (!status.isDirectory() || FileSystems.dateEntries(path));
    }

    private CachedDirectory(
            Path path, Optional<FileStatus> status, boolean conclusive, boolean readable, DirectoryReader reader) {
        this.path = path;
        this.reader = reader;
        this.status = status;
        this.conclusive = conclusive;
        this.readable = readable;
    }

    static CachedDirectory unreadable(Path path, DirectoryReader reader) {
        CachedDirectory unreadable = new CachedDirectory(path, Optional.empty(), false, false, reader);
        unreadable.children = List.of();
        unreadable.irregular = List.of();
        unreadable.directoriesAndLinks = List.of();
        return unreadable;
    }

    /** Returns whether the entries must be the same if the path has this status now. */
    boolean isStill(Optional<FileStatus> now) {
        return conclusive && readable && status.equals(now);
    }

    /** Returns the path, which may now lead to another directory. */
    public Path path() {
        return path;
    }

    /** Returns the status of the path; empty if it does not exist, or cannot be read. */
    public Optional<FileStatus> status() {
        return status;
    }

    /** Returns whether this is a directory, readable or not. */
    public boolean isDirectory() {
        return status.filter(FileStatus::isDirectory).isPresent();
    }

    public boolean isLink() {
        return status.filter(FileStatus::isLink).isPresent();
    }

    /**
     * Returns whether an entry of this name exists; true if the directory cannot be read.
     *
     * @param name a name, as the file system compares names
     */
    public boolean has(String name) {
        return !readable || (isDirectory() && present.computeIfAbsent(name, this::exists));
    }

    /**
     * Returns those of some relative paths whose first part is an entry; all if the directory cannot be read. Caches
     * the answer for the same object.
     *
     * @param paths with {@code /} between their parts; never changed
     */
    public Collection<String> among(Collection<String> paths) {
        return readable ? among.computeIfAbsent(paths, this::present) : paths;
    }

    private List<String> present(Collection<String> paths) {
        Optional<Set<String>> listed = isDirectory() ? skeletons() : Optional.of(Set.of());
        return paths.stream()
                .filter(path -> {
                    String first = firstOf(path);
                    // The file system decides: it may ignore case.
                    return (listed.isEmpty() || listed.get().contains(NameSkeleton.of(first))) && has(first);
                })
                .toList();
    }

    private static String firstOf(String path) {
        int end = path.indexOf('/');
        return end < 0 ? path : path.substring(0, end);
    }

    /** Lists the entries' names, by their skeletons; empty if the names are to be looked up. */
    private Optional<Set<String>> skeletons() {
        if (status.orElseThrow().size() > MAX_LISTED) {
            return Optional.empty();
        }
        try {
            Set<String> names = new HashSet<>();
            for (Path entry : DirectoryReader.list(path)) {
                names.add(NameSkeleton.ofBytes(PathBytes.of(entry.getFileName())));
            }
            return Optional.of(names);
        } catch (IOException unlisted) {
            return Optional.empty();
        } finally {
            confirm();
        }
    }

    private boolean exists(String name) {
        try {
            return FileStatus.of(path.resolve(name)).isPresent();
        } catch (IOException unreadable) {
            return true;
        } finally {
            confirm();
        }
    }

    /**
     * Forces the next examination to read the entries again unless this directory is still at its path: renaming a
     * parent directory does not update this directory's ctime.
     */
    private void confirm() {
        try {
            conclusive &= status.equals(FileStatus.of(path));
        } catch (IOException unreachable) {
            conclusive = false;
        }
    }

    /** Returns the entries' absolute paths, in order; none if the directory cannot be read. */
    public List<Path> children() {
        List<Path> read = children;
        if (read == null) {
            read = listed(() -> DirectoryReader.list(path));
            children = read;
        }
        return read;
    }

    /**
     * Returns the absolute paths of the entries that are no regular files, and of others by their names, in order; none
     * if the directory cannot be read. Costs less than {@link #children} for a directory with many files.
     *
     * @param initials the first characters of the files to be listed as well
     * @param names selects those files by their names, bytes as ISO 8859-1; the same at each call
     */
    public List<Path> irregular(String initials, Predicate<String> names) {
        List<Path> read = irregular;
        if (read == null) {
            read = listed(() -> reader.irregular(path, initials, names));
            irregular = read;
        }
        return read;
    }

    /**
     * Returns the absolute paths of the entries that are no regular files, in order; none if the directory cannot be
     * read.
     */
    public List<Path> directoriesAndLinks() {
        List<Path> read = directoriesAndLinks;
        if (read == null) {
            read = listed(() -> reader.irregular(path, NO_INITIAL, name -> false));
            directoriesAndLinks = read;
        }
        return read;
    }

    /** Returns whether the status and, if requested, the children could be read. */
    public boolean isReadable() {
        return readable;
    }

    private interface Listing {
        Collection<Path> read() throws IOException;
    }

    private List<Path> listed(Listing listing) {
        if (!isDirectory()) {
            return List.of();
        }
        try {
            return List.copyOf(listing.read());
        } catch (NoSuchFileException | NotDirectoryException replaced) {
            return List.of();
        } catch (IOException fault) {
            readable = false;
            return List.of();
        } finally {
            confirm();
        }
    }
}
