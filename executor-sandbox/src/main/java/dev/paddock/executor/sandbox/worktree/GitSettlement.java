package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.sandbox.worktree.git.GitDirectoryRules;
import dev.paddock.executor.sandbox.worktree.git.GitDirectoryRules.Change;
import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import dev.paddock.executor.sandbox.worktree.git.Repository;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import dev.paddock.executor.sandbox.worktree.git.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Judges every entry of every git directory after a command, each by itself. */
final class GitSettlement {
    private static final Logger LOG = System.getLogger(GitSettlement.class.getName());

    private final Territory territory;
    private final Path root;
    private final GitBaseline baseline;
    private final Settlement settlement;
    private final Settlement.Trust trust;
    private final Repair repair;

    GitSettlement(
            Territory territory,
            Path root,
            GitBaseline baseline,
            Settlement settlement,
            Settlement.Trust trust,
            Repair repair) {
        this.territory = territory;
        this.root = root;
        this.baseline = baseline;
        this.settlement = settlement;
        this.trust = trust;
        this.repair = repair;
    }

    /**
     * Examines the git directories once.
     *
     * @return whether an entry was changed, so that another pass has to confirm the result
     */
    boolean pass(GitDirectories directories) {
        Map<Path, Repository> all = new TreeMap<>();
        baseline.present().forEach((path, state) -> all.put(path, state.repository()));
        all.putAll(directories.byDirectory());
        boolean changed = false;
        for (Map.Entry<Path, Repository> entry : all.entrySet()) {
            try {
                changed |= examine(entry.getValue(), directories);
            } catch (RuntimeException fault) {
                LOG.log(Level.WARNING, "A git directory could not be settled", fault);
                repair.giveUp(entry.getKey(), "it could not be examined: " + fault);
            }
        }
        return changed;
    }

    private boolean examine(Repository repository, GitDirectories directories) {
        Path directory = repository.gitDirectory();
        Optional<GitBaseline.State> before = baseline.of(directory);
        if (settlement.isGone(directory)) {
            return false;
        }
        if (before.isEmpty() && directories.isLayoutAboveAnother(repository, root)) {
            return repair.quarantine(
                    directory.resolve("HEAD"), "it makes a repository of a directory that contains another");
        }
        EntryStamps now = EntryStamps.of(directory, directories.byDirectory().keySet());
        boolean changed = false;
        for (Path closed : now.unreadable()) {
            changed |= before.filter(state -> state.entries().unreadable().contains(closed))
                            .isEmpty()
                    && repair.unlock(closed);
        }
        if (changed) {
            return true; // the next pass judges the entries
        }
        GitDirectoryRules rules = before.map(GitBaseline.State::rules)
                .orElseGet(() -> new GitDirectoryRules(repository, territory, true));
        for (Path relative : now.stamps().keySet()) {
            Path entry = directory.resolve(relative);
            Optional<Change> change = change(relative, entry, now, before);
            if (change.isPresent() && !repair.isGivenUp(entry)) {
                changed |= apply(rules.judge(relative, change.get()), entry);
            }
        }
        if (before.isPresent()) {
            changed |= restoreRemoved(before.get(), now);
        }
        return changed;
    }

    private Optional<Change> change(Path relative, Path entry, EntryStamps now, Optional<GitBaseline.State> before) {
        if (Files.notExists(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty(); // moved with its directory
        }
        if (GitBaseline.isSample(relative) && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (before.isEmpty()) {
            return Optional.of(Change.CREATED);
        }
        Fingerprint original = before.get().originals().get(entry);
        String stamp = before.get().entries().stamps().get(relative);
        if (stamp == null) {
            return Optional.of(Change.CREATED);
        }
        boolean same = original == null
                ? stamp.equals(now.stamps().get(relative)) && (trust.fingerprints() || !isProgram(relative))
                : settlement.isUnchanged(entry, original, Fingerprint.of(entry));
        return same ? Optional.empty() : Optional.of(Change.CHANGED);
    }

    /** Returns whether git may run what is in a file that needs no original. */
    private static boolean isProgram(Path relative) {
        String name = relative.getName(0).toString();
        return name.startsWith("rebase-") || name.equals("sequencer");
    }

    private boolean restoreRemoved(GitBaseline.State before, EntryStamps now) {
        Path directory = before.repository().gitDirectory();
        boolean changed = false;
        for (Path entry : new TreeMap<>(before.originals()).keySet()) {
            Path relative = directory.relativize(entry);
            if (!now.stamps().containsKey(relative)
                    && !repair.isGivenUp(entry)
                    && Fingerprint.of(entry).isAbsent()) {
                changed |= apply(before.rules().judge(relative, Change.REMOVED), entry);
            }
        }
        return changed;
    }

    private boolean apply(Verdict verdict, Path entry) {
        return switch (verdict) {
            case Verdict.Allowed allowed -> false;
            case Verdict.Reported reported -> {
                repair.report("The command changed '" + PathBytes.escaped(entry) + "': " + reported.reason() + ".");
                yield false;
            }
            case Verdict.Quarantined quarantined -> repair.quarantine(entry, quarantined.reason());
            case Verdict.Restored restored -> repair.restore(entry, restored.reason());
            case Verdict.Replaced replaced -> repair.replace(entry, replaced.reason(), replaced.content());
        };
    }
}
