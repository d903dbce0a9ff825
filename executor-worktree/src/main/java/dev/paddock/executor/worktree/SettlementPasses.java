package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.git.RepositoryFinder;
import dev.paddock.executor.worktree.git.UserConfiguration;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Examines a worktree until a pass finds nothing to change. */
record SettlementPasses(
        GuardedPaths paths, RepositoryWatch repositories, RepositoryFinder finder, DirectoryCache cache) {

    /** Each pass confirms the result of the one before, and the third removal is the last. */
    private static final int MOST_PASSES = 5;

    /**
     * Settles a worktree.
     *
     * @param quiet whether no command of any session can have lived beside an examination since the
     *     commands began; otherwise nothing that an examination has remembered is used by another
     * @return the git directories that the last examination has found
     */
    GitDirectories run(Baseline before, Settlement settlement, GitSettlement git, Repair repair, boolean quiet) {
        GitDirectories directories;
        boolean changed;
        int passes = 0;
        do {
            repositories.flush();
            examineAnew(quiet);
            directories = gitDirectories();
            changed = settlement.pass(examined(before), directories);
            changed |= git.pass(directories);
            changed |= repositories.moveIrregularInputs(repair);
            changed |= repositories.unlockHidden(repair);
            passes++;
        } while (changed && passes < MOST_PASSES);
        git.reportLost();
        repositories.clearSetId(repair);
        if (changed) {
            repair.giveUp(paths.root(), "a live command changes it faster than it can be settled");
        }
        return directories;
    }

    /** Makes the next examination read every directory again, unless nothing can have changed it. */
    void examineAnew(boolean quiet) {
        if (quiet) {
            cache.refresh();
        } else {
            cache.forget();
        }
    }

    /**
     * Protects what programs obey in the worktrees of other sessions inside this one; call it while no
     * command is live.
     */
    void protect(Set<Path> nested) {
        if (nested.equals(paths.nested())) {
            return;
        }
        paths.nested().retainAll(nested);
        paths.nested().addAll(nested);
        cache.forget();
        paths.targets()
                .addAll(LinkTargets.of(
                        paths,
                        repositories.repositories(),
                        gitDirectories().byDirectory().keySet(),
                        cache));
    }

    /** Protects what a configuration makes git run or read; call it while no command is live. */
    void protectTargets(UserConfiguration configuration) {
        if (paths.targets().addAll(gitDirectories().targets(configuration))) {
            cache.forget();
        }
    }

    GitDirectories gitDirectories() {
        return GitDirectories.of(paths, repositories.repositories(), finder, cache);
    }

    /** Returns the protected paths that exist or may exist, outside git directories. */
    Map<Path, Path> named() {
        return paths.named(repositories.repositories(), cache);
    }

    /** Returns the protected paths, and those of repositories that are no longer found. */
    private Map<Path, Path> examined(Baseline before) {
        Map<Path, Path> examined = new TreeMap<>(before.paths());
        examined.putAll(named());
        return examined;
    }
}
