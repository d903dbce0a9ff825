package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.Way;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the targets of the user's own links at protected names and hooks, such as {@code scripts/check}
 * behind {@code .git/hooks/pre-commit}: programs follow the link and obey its target.
 */
final class LinkTargets {
    /** Bound for protected directories; with more entries they contain more than settings. */
    private static final int MAX_ENTRIES = 10_000;

    private final GuardedPaths paths;
    private final Set<Path> repositories;
    private final Collection<Path> gitDirectories;
    private final DirectoryCache cache;
    private final Set<Path> found = new TreeSet<>();

    private LinkTargets(
            GuardedPaths paths, Set<Path> repositories, Collection<Path> gitDirectories, DirectoryCache cache) {
        this.paths = paths;
        this.repositories = repositories;
        this.gitDirectories = gitDirectories;
        this.cache = cache;
    }

    /**
     * Returns the targets in the worktree, whether they exist or not, and the links on the ways to them.
     *
     * @param repositories directories that may be the roots of repositories
     * @param gitDirectories those of the worktree
     * @return absolute paths; without those in git directories, which have rules of their own, and
     *     without directories that contain a repository, whose files ordinary work changes
     */
    static Set<Path> of(
            GuardedPaths paths, Set<Path> repositories, Collection<Path> gitDirectories, DirectoryCache cache) {
        LinkTargets targets = new LinkTargets(paths, repositories, gitDirectories, cache);
        Deque<Path> left = new ArrayDeque<>(paths.existing(repositories, cache).keySet());
        gitDirectories.forEach(directory -> left.add(directory.resolve("hooks")));
        for (int entries = 0; !left.isEmpty() && entries < MAX_ENTRIES; entries++) {
            targets.addFrom(left.remove(), left);
        }
        return targets.found;
    }

    /** Adds the target of a path, and queues its entries, since a directory may contain links. */
    private void addFrom(Path path, Deque<Path> left) {
        CachedDirectory entry = cache.at(path);
        if (entry.isDirectory()) {
            left.addAll(entry.children());
        }
        if (isReachedByLink(path)) {
            Way way = Way.to(path, paths.territory(path).getNameCount(), part -> cache.at(part).isLink());
            way.links().stream()
                    .filter(link -> !link.equals(path) && isOwn(link))
                    .forEach(found::add);
            if (isOwn(way.end()) && found.add(way.end())) {
                left.add(way.end());
            }
        }
    }

    private boolean isReachedByLink(Path path) {
        Path top = paths.territory(path);
        Path part = path;
        while (part != null && !part.equals(top)) {
            if (cache.at(part).isLink()) {
                return true;
            }
            part = part.getParent();
        }
        return false;
    }

    private boolean isOwn(Path target) {
        return target.startsWith(paths.root())
                && !target.equals(paths.root())
                && repositories.stream().noneMatch(repository -> repository.startsWith(target))
                && gitDirectories.stream().noneMatch(target::startsWith);
    }
}
