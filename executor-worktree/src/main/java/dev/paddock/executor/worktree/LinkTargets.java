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
 * Finds the targets of the user's own links at protected names and hooks, such as {@code scripts/check} behind {@code
 * .git/hooks/pre-commit}: programs follow the link and obey its target.
 */
final class LinkTargets {
    private final GuardedPaths paths;
    private final Set<Path> repositories;
    private final Collection<Path> gitDirectories;
    private final DirectoryCache cache;
    private final Deque<Obeyed> left = new ArrayDeque<>();
    private final Set<Path> found = new TreeSet<>();

    private LinkTargets(
            GuardedPaths paths, Set<Path> repositories, Collection<Path> gitDirectories, DirectoryCache cache) {
        this.paths = paths;
        this.repositories = repositories;
        this.gitDirectories = gitDirectories;
        this.cache = cache;
    }

    /**
     * Returns the targets in the worktree, existing or not, and the links on the paths to them.
     *
     * @param repositories directories that may be the roots of repositories
     * @param gitDirectories those of the worktree
     * @return absolute paths; without those in git directories, which have their own rules, and without directories
     *     that contain a repository, whose files ordinary work changes
     */
    static Set<Path> of(
            GuardedPaths paths, Set<Path> repositories, Collection<Path> gitDirectories, DirectoryCache cache) {
        LinkTargets targets = new LinkTargets(paths, repositories, gitDirectories, cache);
        paths.existing(repositories, cache).keySet().forEach(targets::add);
        gitDirectories.forEach(directory -> targets.add(directory.resolve("hooks")));
        while (!targets.left.isEmpty()) {
            targets.follow(targets.left.remove());
        }
        return targets.found;
    }

    /**
     * A path that programs obey, with all below it.
     *
     * @param linked whether a link above it is known
     */
    private record Obeyed(Path path, boolean linked) {}

    private void add(Path path) {
        left.add(new Obeyed(path, isBelowLink(path)));
    }

    /** Adds the target of a path, and queues its directories and links. */
    private void follow(Obeyed obeyed) {
        CachedDirectory entry = cache.at(obeyed.path());
        boolean linked = obeyed.linked() || entry.isLink();
        entry.directoriesAndLinks().forEach(child -> left.add(new Obeyed(child, linked)));
        if (linked) {
            addTarget(obeyed.path());
        }
    }

    private void addTarget(Path path) {
        Way way = Way.to(
                path,
                paths.territory(path).getNameCount(),
                part -> cache.at(part).isLink());
        way.links().stream().filter(link -> !link.equals(path) && isOwn(link)).forEach(found::add);
        if (isOwn(way.end()) && found.add(way.end())) {
            left.add(new Obeyed(way.end(), false));
        }
    }

    private boolean isBelowLink(Path path) {
        Path top = paths.territory(path);
        Path part = path.equals(top) ? null : path.getParent();
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
