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
 * Records what the indexes of git directories hide, the files with the flag skip-worktree or assume-unchanged, and the
 * files in them that host programs obey, and finds new ones. Reads an index only if its stamp has changed, and it was
 * not just judged.
 *
 * <p>Not thread-safe.
 */
public final class IndexRemarks {
    private static final Path INDEX = Path.of("index");

    /** The maximum number of files named in a message. */
    private static final int MAX_NAMES = 5;

    private final ObeyedNames obeyed;
    private final Map<Path, Index> known = new HashMap<>();

    /**
     * An index.
     *
     * @param state empty if it does not exist
     * @param content empty if it cannot be read
     */
    private record Index(Optional<Fingerprint> state, Optional<IndexReading.Verified> content) {
        static final Index NONE = new Index(Optional.empty(), Optional.empty());

        boolean isUnreadable() {
            return state.isPresent() && content.isEmpty();
        }

        Set<String> hidden() {
            return content.map(IndexReading.Verified::hidden).map(TreeSet::new).orElseGet(TreeSet::new);
        }

        Map<String, Long> obeyed() {
            return content.map(IndexReading.Verified::obeyed).map(TreeMap::new).orElseGet(TreeMap::new);
        }
    }

    /**
     * Starts without indexes.
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
     * Reads and records the index of a git directory if it has changed since the last call.
     *
     * @param repository whose {@link Repository#gitDirectory} is read
     * @param state the index; empty if it does not exist
     * @param judged the index, if it was already read after {@code state}
     * @return clauses on what the index newly hides, such as "git does not show changes of 'a'", and on what a checkout
     *     would write
     */
    public List<String> update(Repository repository, Optional<Fingerprint> state, Optional<IndexReading> judged) {
        Path directory = repository.gitDirectory();
        Index before = known.getOrDefault(directory, Index.NONE);
        if (state.equals(before.state())) {
            return List.of();
        }
        Index now = new Index(state, state.flatMap(content -> verified(repository, judged)));
        known.put(directory, now);
        List<String> remarks = new ArrayList<>();
        Set<String> hidden = now.hidden();
        hidden.removeAll(before.hidden());
        if (!hidden.isEmpty()) {
            remarks.add("git does not show changes of " + named(hidden)
                    + ", which have the flag skip-worktree or assume-unchanged");
        } else if (now.isUnreadable()
                && !before.isUnreadable()
                && EntryState.of(directory.resolve(INDEX)).is(EntryState.Kind.FILE)) {
            remarks.add("it cannot be read, and may hide changes of files from git");
        }
        Set<String> staged = staged(repository, before, now);
        if (!staged.isEmpty()) {
            remarks.add("'git checkout .' writes its version of " + named(staged)
                    + ", which programs of the host obey; compare it by 'git diff'");
        }
        return remarks;
    }

    private Optional<IndexReading.Verified> verified(Repository repository, Optional<IndexReading> judged) {
        return switch (judged.orElseGet(() -> IndexFile.read(repository, INDEX, obeyed))) {
            case IndexReading.Verified verified -> Optional.of(verified);
            case IndexReading.Refused refused -> Optional.empty();
        };
    }

    /** Returns the obeyed files that are new in the index, or have another content, which is not that of the file. */
    private static Set<String> staged(Repository repository, Index before, Index now) {
        Map<String, Long> staged = now.obeyed();
        staged.entrySet().removeAll(before.obeyed().entrySet());
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

    private static String named(Set<String> files) {
        String names =
                files.stream().limit(MAX_NAMES).map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        int others = files.size() - MAX_NAMES;
        return names + (others > 0 ? " and " + others + " other files" : "");
    }
}
