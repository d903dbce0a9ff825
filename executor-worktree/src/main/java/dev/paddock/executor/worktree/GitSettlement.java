package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.Digests;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.files.Pinned;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.GitDirectoryRules.Change;
import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.InnerRepositories;
import dev.paddock.executor.worktree.git.NewRepositoryRules;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.Verdict;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Judges every entry of every git directory after a command, each by itself. */
final class GitSettlement {
    private static final Logger LOG = LateLogger.of(GitSettlement.class);

    private final Territory territory;
    private final GitBaseline baseline;
    private final Settlement settlement;
    private final Evidence evidence;
    private final Repair repair;
    private final IndexRemarks remarks;
    private final DirectoryCache cache;
    private final long since;

    /**
     * Creates the examination.
     *
     * @param since when the commands began, in milliseconds since 1970
     */
    GitSettlement(
            Territory territory,
            GitBaseline baseline,
            Settlement settlement,
            Evidence evidence,
            Repair repair,
            IndexRemarks remarks,
            DirectoryCache cache,
            long since) {
        this.territory = territory;
        this.baseline = baseline;
        this.settlement = settlement;
        this.evidence = evidence;
        this.repair = repair;
        this.remarks = remarks;
        this.cache = cache;
        this.since = since;
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
            } catch (RuntimeException | StackOverflowError fault) {
                LOG.log(Level.WARNING, "A git directory could not be settled", fault);
                repair.giveUp(entry.getKey(), "it could not be examined: " + fault);
            }
        }
        return changed;
    }

    private boolean examine(Repository repository, GitDirectories directories) {
        Path directory = repository.gitDirectory();
        Optional<GitBaseline.State> before = baseline.of(directory);
        if (!repair.covers(directory)) {
            return false;
        }
        GitDirectoryRules rules = before.map(GitBaseline.State::rules)
                .orElseGet(() -> new GitDirectoryRules(repository, territory, true));
        EntryStamps known = before.map(GitBaseline.State::entries).orElse(EntryStamps.NONE);
        EntryStamps now = known.next(directory, directories.nestedIn(directory), rules, cache);
        if (now == known && evidence.isQuiet()) {
            List<Path> judged = new ArrayList<>();
            before.ifPresent(
                    state -> state.originals().keySet().forEach(entry -> judged.add(directory.relativize(entry))));
            now.stamps().keySet().stream().filter(rules::mayChangeElsewhere).forEach(judged::add);
            return judge(repository, judged, now, before, rules, directories);
        }
        if (settlement.isGone(directory)) {
            // Of one that was only removed or moved, the end of the settlement reports what is lost.
            return before.isPresent() && repair.hasRemoved(directory) && restoreReplaced(before.get());
        }
        if (before.isEmpty() && (moveMisplaced(repository, directories) || moveSigns(repository, now))) {
            return true;
        }
        boolean changed = false;
        for (Path closed : now.unreadable()) {
            changed |= before.filter(state -> state.entries().unreadable().contains(closed))
                            .isEmpty()
                    && repair.unlock(closed);
        }
        if (changed) {
            return true; // the next pass judges the entries
        }
        Map<Path, Integer> opened = now.openedSince(known);
        if (!opened.isEmpty()) {
            repair.closeToOthers(directory, opened);
        }
        changed |= judge(repository, now.stamps().keySet(), now, before, rules, directories);
        remarks.update(repository, now.stamps(), rules.takeJudgedIndexes())
                .forEach(remark -> apply(new Verdict.Reported(remark), directory.resolve("index")));
        if (before.isPresent()) {
            changed |= restoreRemoved(before.get(), now);
        }
        return changed;
    }

    private boolean judge(
            Repository repository,
            Collection<Path> entries,
            EntryStamps now,
            Optional<GitBaseline.State> before,
            GitDirectoryRules rules,
            GitDirectories directories) {
        boolean changed = false;
        for (Path relative : entries) {
            Path entry = repository.gitDirectory().resolve(relative);
            if (isNewSign(repository.gitDirectory(), relative, before) && !directories.isPointer(entry)) {
                changed |= !repair.isGivenUp(entry)
                        && repair.quarantine(entry, "it makes a repository of a directory inside a git directory");
                continue;
            }
            Optional<Change> change = change(relative, entry, now, before)
                    .or(() ->
                            isAffected(relative, now, before, rules) ? Optional.of(Change.CHANGED) : Optional.empty());
            if (change.isPresent()
                    && !directories.isAboveWorktree(repository.gitDirectory(), entry)
                    && !repair.isGivenUp(entry)) {
                boolean named = rules.judgesContent(relative) && hasSeveralNames(relative, now);
                boolean moved = apply(reasoned(rules.judge(relative, change.get()), named), entry);
                changed |= moved || (named && repair.detach(entry));
            }
        }
        return changed;
    }

    /** Returns whether an entry that has not changed has to be judged, since something has on which it depends. */
    private static boolean isAffected(
            Path relative, EntryStamps now, Optional<GitBaseline.State> before, GitDirectoryRules rules) {
        return rules.mayChangeElsewhere(relative)
                || before.filter(state -> GitDirectoryRules.mayHaveLostItsBase(
                                relative, state.entries().stamps(), now.stamps()))
                        .isPresent();
    }

    /** Returns whether a file has several names: a later command could change what git obeys by another of them. */
    private static boolean hasSeveralNames(Path relative, EntryStamps now) {
        FileStatus status = now.stamps().get(relative);
        return status != null && status.isFile() && status.links() > 1;
    }

    private static Verdict reasoned(Verdict verdict, boolean named) {
        return named && verdict instanceof Verdict.Restored ? new Verdict.Restored(Settlement.SECOND_NAME) : verdict;
    }

    private static boolean isNewSign(Path directory, Path relative, Optional<GitBaseline.State> before) {
        return InnerRepositories.isSign(directory, relative)
                && before.filter(state -> InnerRepositories.wasSign(
                                relative, state.entries().stamps().keySet()))
                        .isEmpty();
    }

    private boolean moveMisplaced(Repository repository, GitDirectories directories) {
        boolean moved = false;
        for (Path entry : NewRepositoryRules.misplacedLayout(repository, directories.findings(), territory)) {
            moved |= !repair.isGivenUp(entry) && repair.quarantine(entry, NewRepositoryRules.MISPLACED);
        }
        return moved;
    }

    /**
     * Moves the entries by which a command has made a repository of a directory that has older files:
     * these are not the command's, and are harmless once git does not take the directory for one. A
     * repository that was moved here has older signs, too.
     */
    private boolean moveSigns(Repository repository, EntryStamps now) {
        if (!NewRepositoryRules.isLayout(repository) || !now.hasOlderThan(since)) {
            return false;
        }
        boolean moved = false;
        for (Path sign : NewRepositoryRules.signs(repository.gitDirectory()).toList()) {
            moved |= isRecent(sign)
                    && !repair.isGivenUp(sign)
                    && repair.quarantine(sign, NewRepositoryRules.OF_OLDER_FILES);
        }
        return moved;
    }

    /** Returns whether an entry may have changed since the commands began, under whatever name it is listed. */
    private boolean isRecent(Path entry) {
        try {
            return FileStatus.of(entry)
                    .filter(status -> !status.isSettledAt(since))
                    .isPresent();
        } catch (IOException unreadable) {
            return true;
        }
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
        FileStatus stamp = before.get().entries().stamps().get(relative);
        if (stamp == null) {
            return Optional.of(Change.CREATED);
        }
        boolean same = original == null
                ? stamp.equals(now.stamps().get(relative)) && hasContent(relative, before.get())
                : settlement.isUnchanged(entry, original, Fingerprint.of(entry));
        if (same) {
            return Optional.empty();
        }
        FileStatus current = now.stamps().get(relative);
        boolean replaced = current != null && current.isDirectory() != stamp.isDirectory();
        return Optional.of(replaced ? Change.REPLACED : Change.CHANGED);
    }

    private static boolean hasContent(Path relative, GitBaseline.State before) {
        String content = before.contents().get(relative);
        Path directory = before.repository().gitDirectory();
        return content == null
                || Digests.of(directory, directory.resolve(relative))
                        .filter(content::equals)
                        .isPresent();
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

    /** Restores the originals of a git directory whose place was taken by an entry that is moved now. */
    private boolean restoreReplaced(GitBaseline.State before) {
        boolean changed = false;
        for (Path entry : new TreeMap<>(before.originals()).keySet()) {
            changed |= !repair.isGivenUp(entry)
                    && Fingerprint.of(entry).isAbsent()
                    && repair.restore(entry, "something else took the place of its git directory");
        }
        return changed;
    }

    /**
     * Reports each git directory that was removed, moved or replaced, with the files that are missing
     * now. A repository that has disappeared with the directory around it leaves nothing to use.
     */
    void reportLost() {
        for (GitBaseline.State before : baseline.present().values()) {
            Path directory = before.repository().gitDirectory();
            if (!before.rules().isNew()
                    && directory.equals(before.repository().commonDirectory())
                    && repair.covers(directory)
                    && !Baseline.identity(directory).equals(before.identity())
                    && Files.isDirectory(Pinned.parentOf(directory), LinkOption.NOFOLLOW_LINKS)) {
                repair.reportLost(directory, before.originals().keySet());
            }
        }
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
