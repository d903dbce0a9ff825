package dev.paddock.executor.sandbox.worktree.git;

import dev.paddock.executor.sandbox.worktree.files.EntryState;
import dev.paddock.executor.sandbox.worktree.git.index.IndexReading;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Remembers which files the indexes of git directories hide, those with the flag skip-worktree or
 * assume-unchanged, and finds those that are hidden newly. Reads an index only if its stamp has
 * changed, and it was not judged just now.
 *
 * <p>Not safe for use by several threads.
 */
public final class HiddenFiles {
    /** A message names no more. */
    private static final int MOST_NAMES = 5;

    private final Map<Path, Map<Path, Index>> known = new HashMap<>();

    /**
     * An index.
     *
     * @param hidden the files that it hides; empty if it cannot be read
     */
    private record Index(Object stamp, Optional<Set<String>> hidden) {}

    /** Creates an empty memory. */
    public HiddenFiles() {
        // Nothing is known yet.
    }

    /**
     * Forgets all git directories but these.
     *
     * @param gitDirectories absolute paths
     */
    public void retain(Collection<Path> gitDirectories) {
        known.keySet().retainAll(gitDirectories);
    }

    /**
     * Reads the index of a git directory if it has changed since the last call, and remembers it.
     *
     * @param repository whose {@link Repository#gitDirectory} is read
     * @param stamps the entries of the git directory by their relative paths, each with a value that
     *     differs when the entry has changed
     * @return a clause on the files that the index hides and did not hide at the last call, such as
     *     "git does not show changes of 'a'"; empty if there are none
     */
    public Optional<String> update(Repository repository, Map<Path, ?> stamps) {
        return update(repository, stamps, Map.of());
    }

    /**
     * Does what {@link #update(Repository, Map)} does, with readings that are later than the stamps.
     *
     * @param judged the indexes that were read, by their relative paths
     */
    public Optional<String> update(Repository repository, Map<Path, ?> stamps, Map<Path, IndexReading> judged) {
        Path directory = repository.gitDirectory();
        Map<Path, Index> before = known.getOrDefault(directory, Map.of());
        Map<Path, Index> now = new HashMap<>();
        stamps.forEach((entry, stamp) -> {
            if (IndexFile.isIndex(entry)) {
                Index last = before.get(entry);
                now.put(
                        entry,
                        last != null && last.stamp().equals(stamp)
                                ? last
                                : new Index(stamp, hidden(repository, entry, judged)));
            }
        });
        known.put(directory, now);
        if (now.equals(before)) {
            return Optional.empty();
        }
        Set<String> hidden = hidden(now);
        hidden.removeAll(hidden(before));
        return hidden.isEmpty() ? unreadable(directory, before, now) : Optional.of(clause(hidden));
    }

    private static Optional<Set<String>> hidden(Repository repository, Path index, Map<Path, IndexReading> judged) {
        IndexReading known = judged.get(index);
        return switch (known == null ? IndexFile.read(repository, index) : known) {
            case IndexReading.Verified verified -> Optional.of(verified.hidden());
            case IndexReading.Refused refused -> Optional.empty();
        };
    }

    private static Set<String> hidden(Map<Path, Index> indexes) {
        Set<String> hidden = new TreeSet<>();
        indexes.values().forEach(index -> index.hidden().ifPresent(hidden::addAll));
        return hidden;
    }

    private static Optional<String> unreadable(Path directory, Map<Path, Index> before, Map<Path, Index> now) {
        Set<Path> unreadable = new HashSet<>(now.keySet());
        unreadable.removeIf(
                index -> Objects.requireNonNull(now.get(index)).hidden().isPresent()
                        || Optional.ofNullable(before.get(index))
                                .filter(last -> last.hidden().isEmpty())
                                .isPresent()
                        || !EntryState.of(directory.resolve(index)).is(EntryState.Kind.FILE));
        return unreadable.isEmpty()
                ? Optional.empty()
                : Optional.of("it cannot be read, and may hide changes of files from git");
    }

    private static String clause(Set<String> hidden) {
        String names =
                hidden.stream().limit(MOST_NAMES).map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        int others = hidden.size() - MOST_NAMES;
        return "git does not show changes of " + names + (others > 0 ? " and " + others + " other files" : "")
                + ", which have the flag skip-worktree or assume-unchanged";
    }
}
