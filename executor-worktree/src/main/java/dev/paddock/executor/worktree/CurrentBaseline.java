package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.Territory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state of a worktree before the currently running commands, with the copies of its protected
 * files and the record in the journal.
 */
final class CurrentBaseline {
    private final GuardedTree tree;
    private final GuardStore store;
    private final Journal journal;
    private final ReportedPaths reported;
    private final IndexRemarks remarks;
    private final NeighbourTargets neighbours;
    private Baseline named = Baseline.NONE;
    private GitBaseline git = GitBaseline.NONE;

    /** The roots of repositories before the commands and of those that this session's commands created. */
    private Set<Path> roots = Set.of();

    private final Set<Path> created = new HashSet<>();

    CurrentBaseline(GuardedTree tree, GuardStore store, Journal journal, NeighbourTargets neighbours) {
        this.tree = tree;
        this.store = store;
        this.journal = journal;
        this.reported = new ReportedPaths(tree);
        this.remarks = new IndexRemarks(tree.territory().obeyed());
        this.neighbours = neighbours;
    }

    /** Returns the protected paths outside git directories. */
    Baseline named() {
        return named;
    }

    GitBaseline git() {
        return git;
    }

    /** Returns the remembered indexes. */
    IndexRemarks remarks() {
        return remarks;
    }

    /** Returns a remark on each reported path that has changed. */
    List<WorktreeFinding> changesOfReported(boolean quiet) {
        return reported.changes(tree.repositories().repositories(), quiet);
    }

    /**
     * Returns the repositories without those that commands of this session have created. A mount in
     * one of them would prevent a later command from removing it; settlement protects it.
     */
    Set<Path> withoutCreated(Set<Path> repositories) {
        Set<Path> others = new TreeSet<>(repositories);
        others.removeAll(created);
        return others;
    }

    /**
     * Remembers the repositories and entries that have appeared since the baseline was taken.
     *
     * @param left the git directories after settlement
     */
    void rememberCreated(GitDirectories left) {
        git = git.settled(left, tree.territory(), tree.cache());
        tree.repositories().own().settled();
        Set<Path> now = tree.repositories().repositories();
        now.removeAll(roots);
        created.addAll(now);
    }

    /** Takes the baseline before commands become live; the caller holds the journal. */
    void take() throws IOException {
        Territory territory = tree.territory();
        RepositoryWatch repositories = tree.repositories();
        tree.protect(journal.nestedWorktrees());
        neighbours.next().ifPresent(tree::protectTargets);
        tree.examineAnew(!journal.isShared());
        roots = repositories.repositories();
        created.retainAll(roots);
        GitBaseline current = git.next(tree.gitDirectories(), territory, tree.cache());
        current.update(remarks);
        reported.remember(repositories.repositories());
        Snapshot fresh = new Snapshot(named.next(tree.named()), current.present(), repositories.closed(), Map.of());
        Snapshot before = journal.joined(fresh, store, territory);
        named = before.baseline();
        git = current.with(before.git());
        store.keepOriginals(List.of(named.states(), git.states()), tree.paths()::territory, journal::isJoined);
        journal.begin(new Snapshot(named, before.git(), before.closed(), store.copies()), store);
        tree.examineAnew(!journal.isShared()); // another session's command may have run meanwhile
        repositories.begin(before.closed());
        repositories.own().begin(!journal.isShared());
    }
}
