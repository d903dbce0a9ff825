package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.RepositoryFinder;
import dev.paddock.executor.worktree.git.UserConfiguration;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Examines a worktree until a pass finds nothing to change. */
record SettlementPasses(
        GuardedPaths paths, RepositoryWatch repositories, RepositoryFinder finder, DirectoryCache cache) {

    private static final Logger LOG = LateLogger.of(SettlementPasses.class);

    /** Each pass confirms the result of the one before, and the third removal is the last. */
    private static final int MOST_PASSES = 5;

    /**
     * Examines a worktree and repairs what is found, until nothing is.
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
            changed = pass(before, settlement, git, repair, directories);
            passes++;
        } while (changed && passes < MOST_PASSES);
        repair.settle(git.lost());
        repair.settle(repositories.setId().take());
        if (changed) {
            repair.settle(Stream.of(
                    new Finding.Unexamined(paths.root(), "a live command changes it faster than it can be settled")));
        }
        return directories;
    }

    private boolean pass(
            Baseline before, Settlement settlement, GitSettlement git, Repair repair, GitDirectories directories) {
        boolean changed = false;
        for (Map.Entry<Path, Path> path : examined(before).entrySet()) {
            changed |= !repair.isGivenUp(path.getKey())
                    && settle(
                            repair,
                            path.getKey(),
                            () -> settlement.examine(path.getKey(), path.getValue(), directories).stream());
        }
        for (Map.Entry<Path, Repository> directory : git.all(directories).entrySet()) {
            changed |= repair.covers(directory.getKey())
                    && settle(repair, directory.getKey(), () -> git.examine(directory.getValue(), directories));
        }
        changed |= repair.settle(repositories.inputs().find(repair));
        for (Path closed : repositories.closedByCommands()) {
            if (repair.settle(Stream.of(new Finding.Closed(closed)))) {
                repositories.search(closed);
                changed = true;
            }
        }
        return changed;
    }

    /** A fault with one path leaves the others protected. */
    private static boolean settle(Repair repair, Path path, Supplier<Stream<Finding>> examination) {
        try {
            return repair.settle(examination.get());
        } catch (RuntimeException | StackOverflowError fault) {
            LOG.log(Level.WARNING, "A protected path could not be settled", fault);
            return repair.settle(Stream.of(new Finding.Unexamined(path, "it could not be examined: " + fault)));
        }
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
