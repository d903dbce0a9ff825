package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.WorktreeRecord;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Lists the protected paths of a worktree.
 *
 * @param root the worktree
 * @param names the names to protect
 * @param linked the repository behind the worktree's {@code .git} file, as of the guard's opening
 * @param nested worktrees of other sessions inside this one, whose names are protected like its own; the guard changes
 *     the set while no command is live
 * @param targets files and directories that the user's own git configuration names, and the targets of the user's own
 *     links; the guard changes the set while no command is live
 * @param targetsIn returns those named by paths relative to any repository
 */
record GuardedPaths(
        Path root,
        ProtectedPaths names,
        Optional<Repository> linked,
        Set<Path> nested,
        Set<Path> targets,
        Function<Path, ? extends Set<Path>> targetsIn) {

    GuardedPaths with(Set<Path> others) {
        return new GuardedPaths(root, names, linked, nested, others, targetsIn);
    }

    /**
     * Returns every protected path, existing or not, parents before children, each with its owner: a git directory, or
     * the root of the worktree or a repository.
     *
     * @param repositories the roots of the repositories in the worktree
     */
    Map<Path, Path> in(Collection<Path> repositories) {
        return in(repositories, directory -> names.names());
    }

    /**
     * Returns the protected paths that exist, and possibly some that do not.
     *
     * @param repositories the roots of the repositories in the worktree
     */
    Map<Path, Path> existing(Collection<Path> repositories, DirectoryCache cache) {
        return in(repositories, directory -> cache.at(directory).among(names.names()));
    }

    private Map<Path, Path> in(Collection<Path> repositories, Function<Path, Collection<String>> namesIn) {
        Map<Path, Path> guarded = new TreeMap<>();
        addNames(root, namesIn.apply(root), guarded);
        nested.forEach(worktree -> addNames(worktree, namesIn.apply(worktree), guarded));
        for (Path repository : repositories) {
            addNames(repository, namesIn.apply(repository), guarded);
        }
        linked.ifPresent(git -> guarded.putAll(ReadOnlyGitEntries.of(git.gitDirectory(), git.commonDirectory())));
        targets.forEach(target -> guarded.putIfAbsent(target, root));
        return guarded;
    }

    private void addNames(Path repository, Collection<String> present, Map<Path, Path> guarded) {
        Path dotGit = repository.resolve(".git");
        targetsOf(repository).forEach(target -> guarded.putIfAbsent(target, repository));
        for (String name : present) {
            if (!isInDotGit(name)) {
                guarded.put(repository.resolve(name), repository);
            }
        }
        if (Files.isDirectory(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            present.stream()
                    .filter(GuardedPaths::isInDotGit)
                    .forEach(name -> guarded.put(repository.resolve(name), dotGit));
            Map<Path, Path> entries = ReadOnlyGitEntries.of(dotGit, dotGit);
            entries.keySet().removeIf(this::isOfInnerWorktree);
            guarded.putAll(entries);
        } else {
            guarded.put(dotGit, dotGit);
        }
    }

    /**
     * Returns whether a path is the state of a linked worktree inside this one: git changes it when commands work
     * there, and settlement protects the pointers in it.
     */
    private boolean isOfInnerWorktree(Path path) {
        return Pinned.parentOf(path).endsWith("worktrees")
                && new WorktreeRecord(path, new Territory(roots(), Set.of())).isInside();
    }

    /**
     * Returns the protected paths outside git directories that may exist, parents before children, each with its owner,
     * including each {@code .git} that is no directory.
     *
     * @param repositories directories that may be the roots of repositories
     */
    Map<Path, Path> named(Collection<Path> repositories, DirectoryCache cache) {
        Map<Path, Path> guarded = new TreeMap<>();
        targets.forEach(target -> addReached(root, target, guarded, cache));
        Set<Path> roots = new TreeSet<>(repositories);
        roots.add(root);
        roots.addAll(nested);
        for (Path repository : roots) {
            CachedDirectory entries = cache.at(repository);
            Path dotGit = repository.resolve(".git");
            boolean directory = cache.at(dotGit).isDirectory();
            targetsOf(repository).stream()
                    .filter(target -> !guarded.containsKey(target))
                    .forEach(target -> addReached(repository, target, guarded, cache));
            if (!directory && entries.has(".git")) {
                guarded.put(dotGit, dotGit);
            }
            for (String name : entries.among(names.names())) {
                boolean inside = isInDotGit(name);
                String skeleton = NameSkeleton.of(name);
                boolean judged = skeleton.equals(".git/config") || skeleton.equals(".git/hooks");
                if (!inside || (directory && !judged)) {
                    Path owner = inside ? dotGit : repository;
                    addReached(owner, repository.resolve(name), guarded, cache);
                }
            }
        }
        return guarded;
    }

    /**
     * Adds a path, or instead the first link on the path from its owner: the program that obeys the path follows it.
     * The targets of the user's own links are among the targets.
     */
    private static void addReached(Path owner, Path path, Map<Path, Path> guarded, DirectoryCache cache) {
        Path reached = path;
        Path above = path.getParent();
        while (above != null && above.startsWith(owner) && !above.equals(owner)) {
            if (cache.at(above).isLink()) {
                reached = above;
            }
            above = above.getParent();
        }
        guarded.put(reached, owner);
    }

    static boolean isInDotGit(String name) {
        return NameSkeleton.of(name).startsWith(".git/");
    }

    /** Returns whether a path is, or lies in, one that the user's configuration or links name. */
    boolean isTarget(Path path, Collection<Path> repositories) {
        return targets.stream().anyMatch(path::startsWith)
                || repositories.stream()
                        .filter(path::startsWith)
                        .anyMatch(repository -> targetsOf(repository).stream().anyMatch(path::startsWith));
    }

    /** Returns the files that the user's configuration names in every repository. */
    private Set<Path> targetsOf(Path repository) {
        Set<Path> found = new TreeSet<>(targetsIn.apply(repository));
        found.removeIf(target -> target.startsWith(repository.resolve(".git")));
        return found;
    }

    /** Returns whether a directory is the worktree of this session or of a nested one. */
    boolean isWorktree(Path directory) {
        return directory.equals(root) || nested.contains(directory);
    }

    List<Path> roots() {
        List<Path> roots = new ArrayList<>(writable());
        roots.add(root);
        return roots;
    }

    /** Returns the closest ancestor of a path whose own path no command can change. */
    Path territory(Path path) {
        if (path.startsWith(root)) {
            return root;
        }
        return linked.map(git -> path.startsWith(git.commonDirectory()) ? git.commonDirectory() : git.gitDirectory())
                .orElse(root);
    }

    /** Returns the git directory that the worktree may share with others; it need not exist. */
    Path commonDirectory() {
        return linked.map(git -> git.commonDirectory()).orElse(root.resolve(".git"));
    }

    /** Returns the directories outside the worktree that commands can write to. */
    List<Path> writable() {
        return linked.map(git -> git.gitDirectory().startsWith(git.commonDirectory())
                        ? List.of(git.commonDirectory())
                        : List.of(git.commonDirectory(), git.gitDirectory()))
                .orElse(List.of());
    }
}
