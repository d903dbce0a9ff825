package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.Findings;
import dev.paddock.executor.worktree.git.NewRepositoryRules;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.Verdict;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Examines each protected path outside git directories after a command; a path that cannot be read counts as changed.
 * Changes nothing.
 */
final class PathExaminer {
    private static final Logger LOG = LateLogger.of(PathExaminer.class);
    private static final String OBEYED = "programs of the host obey it";
    static final String SECOND_NAME = "it has a second name, by which a later command could change it";
    private static final String MISLEADS = "it is a link through which an unchanged file leads git elsewhere";
    private static final String LEADS_OUT = "it is a link out of the worktree in the place of a repository";

    private final TreeIndex tree;
    private final GuardedPaths paths;
    private final Territory territory;
    private final Ways ways;
    private final Baseline baseline;
    private final GitBaseline gitBaseline;
    private final boolean quiet;
    private final List<ProtectionPlan> mounted;
    private final SettlementProgress progress;

    /**
     * Creates the examination.
     *
     * @param quiet whether no process can have a memory mapping for unnoticed writes
     * @param mounted the plans of all live commands; empty if others may be live
     */
    PathExaminer(
            TreeIndex tree,
            Baseline baseline,
            GitBaseline gitBaseline,
            boolean quiet,
            List<ProtectionPlan> mounted,
            SettlementProgress progress) {
        this.tree = tree;
        this.paths = tree.paths();
        this.territory = tree.territory();
        this.ways = new Ways(tree);
        this.baseline = baseline;
        this.gitBaseline = gitBaseline;
        this.quiet = quiet;
        this.mounted = mounted;
        this.progress = progress;
    }

    SettlementProgress progress() {
        return progress;
    }

    /** Returns the protected paths, including those of vanished repositories, each with its owner. */
    Map<Path, Path> all() {
        Map<Path, Path> all = new TreeMap<>(baseline.paths());
        all.putAll(tree.named());
        return all;
    }

    /**
     * Examines a path.
     *
     * @param owner the git directory or root that it belongs to
     * @param git the git directories of the worktree
     */
    Optional<WorktreeFinding> examine(Path path, Path owner, GitDirectories git) {
        if (progress.isGivenUp(path)) {
            return Optional.empty();
        }
        boolean known = baseline.knows(owner) || baseline.known().containsKey(path); // by another session's owner
        Fingerprint before = known ? baseline.before(path) : Fingerprint.ABSENT;
        Fingerprint now = before.after(path, quiet);
        if (before.isAbsent()) {
            if (now.isAbsent()) {
                return Optional.empty();
            }
            if (isTheUsers(path, owner, now)) {
                return Optional.of(new WorktreeFinding.Remark(
                        path,
                        "The command made a repository of '" + PathBytes.escaped(owner) + "', where '"
                                + path.getFileName() + "' existed: it stays as it is now, and " + OBEYED
                                + "; review it."));
            }
            Optional<String> fault = !known && path.endsWith(".git") ? faultOf(path, git) : Optional.of(OBEYED);
            return fault.map(reason -> quarantined(path, reason));
        }
        boolean pointer = Ways.isPointer(path, owner);
        Path holder = pointer ? Pinned.parentOf(path) : owner;
        Optional<WorktreeFinding> link = pointer ? linkOut(holder) : Optional.empty();
        if (link.isPresent() || (now.isAbsent() && isGone(holder))) {
            return link;
        }
        if (isUnchanged(path, before, now)) {
            return pointer ? misled(ways.namedBy(path, before)).findFirst() : Optional.empty();
        }
        return Optional.of(WorktreeFinding.Judged.restored(path, now.isShared() ? SECOND_NAME : OBEYED));
    }

    /**
     * Finds the first link that commands have put on each of some paths that unchanged files name. Earlier links are
     * protected paths; the files behind a changed one are judged once it is restored.
     */
    Stream<WorktreeFinding> misled(Stream<Path> named) {
        return named.flatMap(path -> ways.linksTo(path).stream()
                .takeWhile(link -> isNew(link) || isUnchanged(link, baseline.before(link)))
                .filter(this::isNew)
                .limit(1)
                .map(link -> quarantined(link, MISLEADS)));
    }

    /**
     * Finds a link out of the worktree with which commands have replaced a directory of the baseline, or its ancestor.
     * The target of a link within the worktree is judged as a new repository.
     */
    Optional<WorktreeFinding> linkOut(Path directory) {
        return ways.linkOut(directory).filter(this::isNew).map(link -> quarantined(link, LEADS_OUT));
    }

    private boolean isNew(Path link) {
        return !baseline.known().containsKey(link) && !progress.isGivenUp(link);
    }

    private static WorktreeFinding quarantined(Path path, String reason) {
        return WorktreeFinding.Judged.quarantined(path, reason);
    }

    /**
     * Returns whether a path is the user's, in a directory that commands turned into a repository: it was not protected
     * before.
     */
    private boolean isTheUsers(Path path, Path owner, Fingerprint now) {
        Path dotGit = owner.resolve(".git");
        boolean wasRepository = paths.isWorktree(owner)
                || baseline.knows(owner)
                || gitBaseline.of(dotGit).isPresent()
                || gitBaseline.of(owner).isPresent()
                || !baseline.before(dotGit).isAbsent();
        return !wasRepository
                && (tree.repositories().own().contains(path, now.identity()) || progress.isOlderThanTheCommands(path));
    }

    /** Returns why a command's {@code .git} that is not a directory may not stay. */
    private Optional<String> faultOf(Path dotGit, GitDirectories git) {
        GitBaseline.State directory = gitBaseline.present().get(dotGit);
        if (directory != null && !directory.rules().isNew()) {
            return Optional.of("a git directory was in its place");
        }
        Findings findings = git.findings();
        Optional<Repository> pointed = findings.pointedBy(dotGit);
        if (pointed.isEmpty()) {
            return Optional.of(findings.whyUnjudged(dotGit).orElse(OBEYED));
        }
        boolean isNew = gitBaseline.of(pointed.get().gitDirectory()).isEmpty();
        return NewRepositoryRules.judgePointer(pointed.get(), isNew) instanceof Verdict.Quarantined fault
                ? Optional.of(fault.reason())
                : Optional.empty();
    }

    /** Returns whether a path is unchanged, or a program outside the sandboxes changed it. */
    boolean isUnchanged(Path path, Fingerprint before, Fingerprint now) {
        return before.isSame(now, territory.owners()) || isTheHosts(path, before, now);
    }

    /** Returns whether a path is unchanged since before the commands, or a program outside the sandboxes changed it. */
    boolean isUnchanged(Path path, Fingerprint before) {
        return isUnchanged(path, before, before.after(path, quiet));
    }

    /**
     * Returns whether a program outside the sandboxes has made the change: every live command's mount is on this file
     * or directory, so that no command could write to it by this name, and its files had no other name.
     */
    private boolean isTheHosts(Path path, Fingerprint before, Fingerprint now) {
        return now.complete()
                && !before.isShared()
                && !now.isShared()
                && before.identity().equals(now.identity())
                && !mounted.isEmpty()
                && mounted.stream().allMatch(plan -> plan.mounts(path, now.identity()));
    }

    /** Returns whether a directory has disappeared, or a link or a file has replaced it. */
    boolean isGone(Path owner) {
        try {
            Pinned.unlockedDirectory(paths.territory(owner), owner).close();
            return false;
        } catch (NoSuchFileException | NotDirectoryException gone) {
            LOG.log(Level.DEBUG, "{0} is no longer there: {1}", owner, gone.getMessage());
            return true;
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "{0} cannot be opened: {1}", owner, fault.getMessage());
            return false; // its entries count as changed
        }
    }
}
