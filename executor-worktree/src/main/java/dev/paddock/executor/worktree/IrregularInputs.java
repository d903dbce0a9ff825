package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.git.FilesReadByGit;
import dev.paddock.executor.worktree.git.Territory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Records non-regular files under names that git and other programs open, and finds those that a command has created: a
 * pipe named {@code .gitignore} would block the host's {@code git status}, and one named {@code AGENTS.md} a coding
 * agent.
 *
 * <p>Not thread-safe; guarded by the guard's lock.
 */
final class IrregularInputs {
    private final Territory territory;
    private final Set<Path> present = new TreeSet<>();

    /** Those from before the commands, each with the kind of file that git finds there. */
    private Map<Path, String> before = Map.of();

    IrregularInputs(Territory territory) {
        this.territory = territory;
    }

    /** Returns whether git or another program may open a file of this name, as bytes. */
    static boolean mayBeNamed(String name) {
        return FilesReadByGit.isNamed(name) || ReportedNames.mayBeNamed(name);
    }

    private static boolean isReadByGit(Path entry) {
        return FilesReadByGit.isNamed(PathBytes.of(entry.getFileName()));
    }

    /** Records an entry that is neither directory nor regular file, if a program opens its name. */
    void add(Path entry) {
        if (entry.getFileName() != null
                && (isReadByGit(entry) || ReportedNames.isNamed(entry))
                && FilesReadByGit.irregularity(entry).isPresent()) {
            present.add(entry);
        }
    }

    /** Forgets an entry that no longer exists, and those below it. */
    void remove(Path entry) {
        present.removeIf(path -> path.startsWith(entry));
    }

    void clear() {
        present.clear();
    }

    /** Begins commands; present entries are not attributed to them. */
    void begin() {
        before = new HashMap<>();
        present.forEach(
                entry -> FilesReadByGit.irregularity(entry).ifPresent(irregularity -> before.put(entry, irregularity)));
    }

    /** Finds entries that commands created, and pipes that commands put behind the user's links. */
    Stream<WorktreeFinding> find(SettlementProgress progress) {
        return List.copyOf(present).stream().flatMap(entry -> find(entry, progress).stream());
    }

    private Optional<WorktreeFinding> find(Path entry, SettlementProgress progress) {
        Optional<String> irregularity = FilesReadByGit.irregularity(entry);
        if (irregularity.isEmpty() || irregularity.equals(Optional.ofNullable(before.get(entry)))) {
            return Optional.empty();
        }
        Path culprit = FilesReadByGit.specialBehind(entry, territory).orElse(entry);
        return fault(entry)
                .filter(reason -> !progress.isOlderThanTheCommands(culprit))
                .map(reason -> WorktreeFinding.Judged.quarantined(culprit, reason));
    }

    /** Returns why an entry may not stay. A link under a name that git does not open may lead to any other file. */
    private Optional<String> fault(Path entry) {
        if (isReadByGit(entry)) {
            return FilesReadByGit.fault(entry, territory);
        }
        boolean special = EntryState.of(entry).is(EntryState.Kind.SPECIAL)
                || FilesReadByGit.specialBehind(entry, territory).isPresent();
        return special
                ? Optional.of("a program of the host that opens it would wait there for a program of the command's")
                : Optional.empty();
    }
}
