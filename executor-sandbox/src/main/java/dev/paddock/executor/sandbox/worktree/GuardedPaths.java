package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
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

/**
 * Lists the protected paths of a worktree.
 *
 * @param root the worktree
 * @param names the names to protect
 * @param linked the git directories of a linked worktree, as of the guard's opening
 * @param targets files and directories that the user's own git configuration names
 */
record GuardedPaths(Path root, ProtectedPaths names, Optional<GitLayout> linked, Set<Path> targets) {

    /**
     * Returns every protected path, whether it exists or not, parents before children, each with
     * its owner: a git directory, or the root of the worktree or a repository.
     *
     * @param repositories the roots of the repositories in the worktree
     */
    Map<Path, Path> in(Collection<Path> repositories) {
        Map<Path, Path> guarded = new TreeMap<>();
        addNames(root, guarded);
        for (Path repository : repositories) {
            addNames(repository, guarded);
        }
        linked.ifPresent(layout -> guarded.putAll(layout.guarded()));
        targets.forEach(target -> guarded.putIfAbsent(target, root));
        return guarded;
    }

    private void addNames(Path repository, Map<Path, Path> guarded) {
        Path dotGit = repository.resolve(".git");
        for (String name : names.names()) {
            if (!name.startsWith(".git/")) {
                guarded.put(repository.resolve(name), repository);
            }
        }
        if (Files.isDirectory(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            names.names().stream()
                    .filter(name -> name.startsWith(".git/"))
                    .forEach(name -> guarded.put(repository.resolve(name), dotGit));
            guarded.putAll(GitLayout.inside(repository).guarded());
        } else {
            guarded.put(dotGit, dotGit);
        }
    }

    /**
     * Returns the protected paths outside git directories, parents before children, each with its
     * owner; among them each {@code .git} that is no directory.
     *
     * @param repositories directories that may be the roots of repositories
     */
    Map<Path, Path> named(Collection<Path> repositories) {
        Map<Path, Path> guarded = new TreeMap<>();
        targets.forEach(target -> guarded.put(target, root));
        Set<Path> roots = new TreeSet<>(repositories);
        roots.add(root);
        for (Path repository : roots) {
            Path dotGit = repository.resolve(".git");
            boolean directory = Files.isDirectory(dotGit, LinkOption.NOFOLLOW_LINKS);
            if (!directory) {
                guarded.put(dotGit, dotGit);
            }
            for (String name : names.names()) {
                boolean inside = name.startsWith(".git/");
                boolean judged = name.equals(".git/config") || name.equals(".git/hooks");
                if (!inside || (directory && !judged)) {
                    guarded.put(repository.resolve(name), inside ? dotGit : repository);
                }
            }
        }
        return guarded;
    }

    /** Returns the directories that commands can write to. */
    List<Path> roots() {
        List<Path> roots = new ArrayList<>(writable());
        roots.add(root);
        return roots;
    }

    /** Returns the closest directory above a path whose own path no command can change. */
    Path territory(Path path) {
        if (path.startsWith(root)) {
            return root;
        }
        return linked.map(layout ->
                        path.startsWith(layout.commonDirectory()) ? layout.commonDirectory() : layout.gitDirectory())
                .orElse(root);
    }

    /** Returns the directories outside the worktree that commands can write to. */
    List<Path> writable() {
        return linked.map(git -> git.gitDirectory().startsWith(git.commonDirectory())
                        ? List.of(git.commonDirectory())
                        : List.of(git.commonDirectory(), git.gitDirectory()))
                .orElse(List.of());
    }
}
