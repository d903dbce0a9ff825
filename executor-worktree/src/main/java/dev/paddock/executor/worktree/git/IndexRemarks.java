package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.index.IndexReading;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Remembers what the indexes of git directories hide, the files with the flag skip-worktree or
 * assume-unchanged, and which files they have that programs of the host obey, and finds what is new. Reads
 * an index only if its stamp has changed, and it was not judged just now.
 *
 * <p>Not safe for use by several threads.
 */
public final class IndexRemarks {
    private static final Path INDEX = Path.of("index");

    /** A message names no more. */
    private static final int MAX_NAMES = 5;

    private final ObeyedNames obeyed;
    private final Map<Path, Map<Path, Index>> known = new HashMap<>();

    /**
     * An index.
     *
     * @param content empty if it cannot be read
     */
    private record Index(Fingerprint state, Optional<IndexReading.Verified> content) {}

    /**
     * Creates an empty memory.
     *
     * @param obeyed selects the entries that programs of the host obey once git has written them
     */
    public IndexRemarks(ObeyedNames obeyed) {
        this.obeyed = obeyed;
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
     * @param state the index; empty if there is none
     * @param judged the index, if it was read later, by its relative path
     * @return clauses on what the index hides and did not hide at the last call, such as "git does not show changes
     *     of 'a'", and on what a checkout would write
     */
    public List<String> update(Repository repository, Optional<Fingerprint> state, Map<Path, IndexReading> judged) {
        Path directory = repository.gitDirectory();
        Map<Path, Index> before = known.getOrDefault(directory, Map.of());
        Map<Path, Index> now = new HashMap<>();
        state.ifPresent(content -> {
            Index last = before.get(INDEX);
            now.put(
                    INDEX,
                    last != null && last.state().equals(content)
                            ? last
                            : new Index(content, content(repository, INDEX, judged)));
        });
        known.put(directory, now);
        if (now.equals(before)) {
            return List.of();
        }
        List<String> remarks = new ArrayList<>();
        Set<String> hidden = hidden(now);
        hidden.removeAll(hidden(before));
        if (!hidden.isEmpty()) {
            remarks.add("git does not show changes of " + named(hidden)
                    + ", which have the flag skip-worktree or assume-unchanged");
        } else {
            unreadable(directory, before, now).ifPresent(remarks::add);
        }
        Set<String> staged = staged(repository, before, now);
        if (!staged.isEmpty()) {
            remarks.add("'git checkout .' writes its version of " + named(staged)
                    + ", which programs of the host obey; compare it by 'git diff'");
        }
        return remarks;
    }

    private Optional<IndexReading.Verified> content(Repository repository, Path index, Map<Path, IndexReading> judged) {
        IndexReading read = judged.get(index);
        return switch (read == null ? IndexFile.read(repository, index, obeyed) : read) {
            case IndexReading.Verified verified -> Optional.of(verified);
            case IndexReading.Refused refused -> Optional.empty();
        };
    }

    private static Set<String> hidden(Map<Path, Index> indexes) {
        Set<String> hidden = new TreeSet<>();
        indexes.values().forEach(index -> index.content().ifPresent(content -> hidden.addAll(content.hidden())));
        return hidden;
    }

    /** Returns the obeyed files that are new in the index, or have another content, which is not that of the file. */
    private static Set<String> staged(Repository repository, Map<Path, Index> before, Map<Path, Index> now) {
        Map<String, Long> staged = obeyed(now);
        staged.entrySet().removeAll(obeyed(before).entrySet());
        Set<String> names = new TreeSet<>();
        staged.forEach((name, object) -> {
            boolean present = repository
                    .worktree()
                    .flatMap(worktree -> PathBytes.path(name).map(worktree::resolve))
                    .filter(file -> IndexFile.isContent(repository, file, object))
                    .isPresent();
            if (!present) {
                names.add(PathBytes.escaped(name));
            }
        });
        return names;
    }

    private static Map<String, Long> obeyed(Map<Path, Index> indexes) {
        Map<String, Long> obeyed = new TreeMap<>();
        indexes.values().forEach(index -> index.content().ifPresent(content -> obeyed.putAll(content.obeyed())));
        return obeyed;
    }

    private static Optional<String> unreadable(Path directory, Map<Path, Index> before, Map<Path, Index> now) {
        boolean unreadable = now.entrySet().stream()
                .anyMatch(index -> index.getValue().content().isEmpty()
                        && Optional.ofNullable(before.get(index.getKey()))
                                .filter(last -> last.content().isEmpty())
                                .isEmpty()
                        && EntryState.of(directory.resolve(index.getKey())).is(EntryState.Kind.FILE));
        return unreadable ? Optional.of("it cannot be read, and may hide changes of files from git") : Optional.empty();
    }

    private static String named(Set<String> files) {
        String names =
                files.stream().limit(MAX_NAMES).map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        int others = files.size() - MAX_NAMES;
        return names + (others > 0 ? " and " + others + " other files" : "");
    }
}
