package dev.paddock.harness.files.workspace;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads and writes the files of one or more directories, and nothing outside them: no {@code ..}, no symbolic link, and
 * no program that replaces directories during a call leads out. The session's file tools use it.
 * <pre>{@code
 * List<FileRoot> roots = List.of(
 *         new FileRoot("/work", project, Mount.Access.READ_WRITE),
 *         new FileRoot("/data", data, Mount.Access.READ_ONLY));
 * AccessRules rules = AccessRules.of(ProtectedPaths.standard(), List.of("*.pem", ".env"));
 * try (WorkspaceFiles files = WorkspaceFiles.open(roots, rules)) {
 *     files.write("notes/today.md", text);
 *     byte[] table = files.read("/data/table.csv", 1 << 20);
 * }
 * }</pre>
 *
 * <p>A path is relative to the first root, or absolute. It belongs to the root with the longest matching path; a walk
 * enters another root where it reaches that root's path. The first root also has its host path as a name, unless its
 * path is {@code /}. Links that lead into a root are followed, except by {@link #stat} and {@link #remove}, which take
 * the link itself. Every failure is a {@link FileException}, whose {@link FileException.Reason} says what happened; its
 * message names the path and the remedy and no host path. A malformed pattern is a
 * {@link dev.paddock.harness.files.access.PatternException}.
 *
 * <p>Where Java has no {@link java.nio.file.SecureDirectoryStream} (macOS, Windows), each step is checked by path: a
 * program that replaces directories in a tight loop can win a race there. Where the C library cannot be called either,
 * a program that replaces a file by a FIFO during a call can block the call.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class WorkspaceFiles implements AutoCloseable {
    private final ContainedFiles files;

    WorkspaceFiles(ContainedFiles files) {
        this.files = files;
    }

    /**
     * Opens the files of some roots, which stay open until the result is closed.
     *
     * @param roots the directories, in the order of their importance: relative paths start in the first, which must be
     *     a directory; the others may be single files. Of two with the same path the first counts
     * @param rules what may be read and written in them
     * @return the files; the caller closes them
     * @throws IllegalArgumentException if there is no root
     * @throws dev.paddock.harness.files.access.PatternException if a glob of the rules is malformed
     * @throws java.io.UncheckedIOException if a root cannot be opened, or one that is not the first is not given by its
     *     real path; the cause names it
     * @throws UnsupportedOperationException if the rules deny content and the system does not show which file a
     *     descriptor has open (no {@code /proc}; macOS, Windows)
     */
    public static WorkspaceFiles open(List<FileRoot> roots, AccessRules rules) {
        return new WorkspaceFiles(ContainedFiles.open(roots, rules));
    }

    /**
     * Returns a path as messages and results show it: a host path of the first root as callers see it, any other
     * unchanged. Does not access the file system.
     *
     * @param path the path
     * @return the path to show
     * @throws FileException if the path is malformed or in no root
     */
    public String shown(String path) {
        return files.shown(path);
    }

    /**
     * Resolves the links of a path, including the last name.
     *
     * @param path the path
     * @return the absolute path of the entry in its root, without links
     * @throws FileException if nothing has the path, or it leads out of the roots
     */
    public String resolved(String path) {
        return call(path, () -> {
            try (Location where = files.locate(path)) {
                BasicFileAttributes unused = where.existing();
                return where.path();
            }
        });
    }

    /**
     * Reads a whole file.
     *
     * @param path the file
     * @param most the largest permitted size in bytes
     * @return its content
     * @throws FileException if it is larger, is not a regular file, or its content is denied
     */
    public byte[] read(String path, long most) {
        Limits.requireNotNegative("most", most);
        return call(path, () -> {
            try (Location where = files.locate(path)) {
                return content(where, most, AbortSignal.never());
            }
        });
    }

    /**
     * Opens a file for reading, for content too large for memory.
     *
     * @param path the file
     * @return its content; the caller closes it. Closing these files does not
     * @throws FileException if it is not a regular file, or its content is denied
     */
    public SeekableByteChannel openFile(String path) {
        return call(path, () -> {
            try (Location where = files.locate(path)) {
                return files.openFile(where);
            }
        });
    }

    /**
     * Passes a file's host path to another program, such as an editor. Since that program opens the path itself, its
     * result is dropped if a command may have replaced the file, or a directory on the way, by a link during the call.
     *
     * @param path the file
     * @param program receives the file's host path, without links
     * @param <T> the program's result
     * @return the program's result; empty, without a call of the program, if the file is not in the first root, or the
     *     system does not show such replacements (Windows)
     * @throws FileException if the path is not that of a file, its content is denied, or something was replaced
     */
    public <T> Optional<T> atHostPath(String path, Function<Path, T> program) {
        return call(path, () -> {
            try (Location where = files.locate(path)) {
                return files.atHostPath(where, program);
            }
        });
    }

    /**
     * Writes a whole file, as {@link #write(String, byte[], AbortSignal)} does, without a signal.
     *
     * @param path the file
     * @param content the new content
     * @return the file that was written
     * @throws FileException if the path may not be written, or is not that of a file
     */
    public Written write(String path, byte[] content) {
        return write(path, content, AbortSignal.never());
    }

    /**
     * Writes a whole file: replaces its content, or creates it and its parents. A concurrent reader sees all of the old
     * content or all of the new. A replaced file keeps its mode, and its owner where this program may set it; its other
     * hard links keep the old content. A root that is a single file is written in place.
     *
     * @param path the file
     * @param content the new content
     * @param signal ends the call; nothing is written after it is aborted
     * @return the file that was written
     * @throws FileException if the path may not be written, or is not that of a file
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public Written write(String path, byte[] content, AbortSignal signal) {
        return call(path, () -> {
            try (Location where = files.locateForWriting(path)) {
                requireNoSlash(path);
                ReentrantLock lock = files.lockOf(where);
                lock.lock();
                try {
                    files.write(where, content, Optional.empty(), signal);
                } finally {
                    lock.unlock();
                }
                return new Written(files.listed(where), where.attributes().isEmpty());
            }
        });
    }

    /**
     * Changes the content of a file, as one operation among all writes and changes of these files. Fails without
     * writing if another program changes the file meanwhile.
     *
     * @param path the existing file
     * @param most the largest permitted current size in bytes
     * @param change returns the new content for the old one; its exceptions are passed on, and the file stays as it is
     * @param signal ends the call; nothing is written after it is aborted
     * @return the file that was written
     * @throws FileException if the path may not be written, is not that of a file, or its content is larger, is denied,
     *     or was changed during the call
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public Written update(String path, long most, UnaryOperator<byte[]> change, AbortSignal signal) {
        Limits.requireNotNegative("most", most);
        return call(path, () -> {
            ReentrantLock lock = lockOf(path);
            lock.lock();
            try (Location where = files.locateForWriting(path)) {
                byte[] changed = change.apply(content(where, most, signal));
                files.write(where, changed, where.attributes(), signal);
                return new Written(files.listed(where), false);
            } finally {
                lock.unlock();
            }
        });
    }

    private ReentrantLock lockOf(String path) throws IOException {
        try (Location where = files.locateForWriting(path)) {
            return files.lockOf(where);
        }
    }

    /**
     * Lists a directory.
     *
     * @param path the directory
     * @return its entries, sorted by name, links as links; roots in the directory included
     * @throws FileException if it is not a directory
     */
    public List<Entry> list(String path) {
        return list(path, Integer.MAX_VALUE);
    }

    /**
     * Lists the first entries of a directory. The others are neither examined nor kept in memory.
     *
     * @param path the directory
     * @param most the most entries to return; one more than needed shows whether there are others
     * @return as {@link #list(String)}
     * @throws FileException if it is not a directory
     */
    public List<Entry> list(String path, int most) {
        Limits.requireNotNegative("most", most);
        return call(path, () -> {
            try (Location where = files.locate(path)) {
                List<Entry> entries = new ArrayList<>();
                files.entries(where, most).forEach((name, found) -> entries.add(Entry.of(name, found)));
                return entries;
            }
        });
    }

    /**
     * Describes an entry. Follows a link as the last name of the path only if a slash ends the path.
     *
     * @param path the entry
     * @return its kind, size and time
     * @throws FileException if nothing has the path
     */
    public Entry stat(String path) {
        return call(path, () -> {
            try (Location where = path.endsWith("/") ? files.locate(path) : files.locateEntry(path)) {
                return Entry.of(files.listed(where), where.existing());
            }
        });
    }

    /**
     * Finds entries of all roots by their names, ignored ones included, up to
     * {@value GlobQuery#DEFAULT_MAX_RESULTS}.
     *
     * @param patterns the globs, as in {@link GlobQuery}
     * @return the paths of the entries, each once, in their order
     */
    public List<String> glob(List<String> patterns) {
        return glob(GlobQuery.of(patterns), AbortSignal.never()).entries().stream()
                .map(Entry::path)
                .toList();
    }

    /**
     * Finds entries by their names. Finds links without following them; skips files whose content a glob denies.
     *
     * @param query what to find
     * @param signal ends the search
     * @return the entries
     * @throws FileException if the query's path is not a directory
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public GlobResult glob(GlobQuery query, AbortSignal signal) {
        GlobSearch search = new GlobSearch(files, query, signal);
        return call(query.path().orElse("."), () -> {
            inEach(query.path(), search);
            return search.result();
        });
    }

    /**
     * Finds lines by their content. Skips files whose content is denied.
     *
     * @param query what to find
     * @param signal ends the search
     * @return the lines
     * @throws FileException if the query's path leads to nothing that can be searched
     * @throws dev.paddock.harness.files.access.PatternException if the expression is malformed, or takes too long to
     *     match a line
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public GrepResult grep(GrepQuery query, AbortSignal signal) {
        GrepSearch search = new GrepSearch(files, query, signal);
        return call(query.path().orElse("."), () -> {
            inEach(query.path(), search);
            return search.result();
        });
    }

    /**
     * Creates a directory.
     *
     * @param path the directory
     * @param parents whether missing parents are created too; then it is no error if the directory exists
     * @throws FileException if the path may not be written, exists, or has no parent
     */
    public void mkdir(String path, boolean parents) {
        call(path, () -> {
            files.makeDirectory(path, parents);
            return true;
        });
    }

    /**
     * Removes a file, a directory, or a link itself. Removes nothing if the tree contains a protected path, another
     * root, or a directory that cannot be opened. An interrupt of the thread ends the removal before the next entry.
     *
     * @param path the entry; not a root
     * @param recursive whether a directory is removed with its content
     * @throws FileException if nothing has the path, it may not be removed, or it is a directory with entries and
     *     {@code recursive} is not set
     */
    public void remove(String path, boolean recursive) {
        call(path, () -> {
            files.remove(path, recursive);
            return true;
        });
    }

    /** Closes the roots. Calls in progress fail or finish; later ones fail. Idempotent. */
    @Override
    public void close() {
        files.close();
    }

    /** Runs a search at its path, or from each path needed to reach all roots. */
    private void inEach(Optional<String> path, Search search) throws IOException {
        if (path.isPresent()) {
            try (Location where = files.locate(path.get())) {
                search.in(where);
            }
            return;
        }
        for (String start : files.starts()) {
            Optional<Location> root = root(start);
            if (root.isEmpty()) {
                search.missed();
                continue;
            }
            try (Location where = root.get()) {
                search.in(where);
            }
        }
    }

    /** Returns a root; empty if it was removed or replaced since it was opened. */
    private Optional<Location> root(String start) throws IOException {
        Location where;
        try {
            where = files.locate(start);
        } catch (FileException replaced) {
            if (replaced.reason() == Reason.CLOSED) {
                throw replaced;
            }
            return Optional.empty();
        }
        if (where.attributes().isPresent()) {
            return Optional.of(where);
        }
        where.close();
        return Optional.empty();
    }

    private byte[] content(Location where, long most, AbortSignal signal) throws IOException {
        try (SeekableByteChannel channel = files.openFile(where)) {
            return new WholeFile(where.shown(), most, signal).read(channel);
        }
    }

    private static void requireNoSlash(String path) {
        if (path.endsWith("/")) {
            throw new FileException(
                    Reason.INVALID_PATH, path, path + " ends with a slash, so it names a directory. Name a file");
        }
    }

    private <T> T call(String path, Operation<T> operation) {
        try {
            return operation.run();
        } catch (ClosedDirectoryStreamException | ClosedChannelException e) {
            throw new FileException(Reason.CLOSED, path, path + " cannot be used any more: the files are closed");
        } catch (IOException e) {
            throw FileException.of(shown(path), e);
        }
    }

    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }
}
