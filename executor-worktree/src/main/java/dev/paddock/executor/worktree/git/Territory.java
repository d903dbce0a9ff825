package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.Way;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The directories that the guard watches, outside which commands cannot write, and the user's git behavior in them.
 *
 * @param roots real paths: the worktree, and its git directories if they are outside it
 * @param owners the user ids whose files commands may leave: the worktree's owner, and the commands' user
 * @param obeyed selects the entries of an index that a checkout writes where programs of the host obey them
 * @param recordsMerges whether the user's own configuration makes git record and replay merges ({@code rerere.enabled})
 *     in every repository
 */
public record Territory(List<Path> roots, Set<Integer> owners, ObeyedNames obeyed, boolean recordsMerges) {
    /** Its links lead each process elsewhere. */
    private static final Path PROCESSES = Path.of("/proc");

    public Territory {
        roots = List.copyOf(roots);
        owners = Set.copyOf(owners);
    }

    public Territory(List<Path> roots, Set<Integer> owners) {
        this(roots, owners, ObeyedNames.NONE, false);
    }

    boolean contains(Path path) {
        return roots.stream().anyMatch(path::startsWith);
    }

    /**
     * Returns the real path of something in the territory that is reached without a link in the territory. Follows
     * links above it, which no command can change.
     *
     * @param path absolute
     * @return empty if it does not exist, lies outside, or a link leads to it
     */
    Optional<Path> real(Path path) {
        try {
            Path real = path.toRealPath();
            return contains(real) && (path.equals(real) || isDirect(Way.to(path), real))
                    ? Optional.of(real)
                    : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private boolean isDirect(Way way, Path real) {
        return way.end().equals(real)
                && way.links().stream().noneMatch(link -> contains(link) || link.startsWith(PROCESSES));
    }

    /**
     * Returns the links in the territory on a path, in order.
     *
     * @param path absolute
     * @param isLink returns whether a path without links to it is a link
     */
    public List<Path> links(Path path, Predicate<Path> isLink) {
        return Way.to(path, direct(path), isLink).links().stream()
                .filter(this::contains)
                .toList();
    }

    /** Returns how many names of a path no command can replace: those of the outermost root that it begins with. */
    private int direct(Path path) {
        return roots.stream()
                .filter(path::startsWith)
                .mapToInt(Path::getNameCount)
                .min()
                .orElse(0);
    }

    /**
     * Returns the first link in the territory on a path, if the path ends outside.
     *
     * @param path absolute
     * @param isLink as for {@link #links}
     */
    public Optional<Path> linkOut(Path path, Predicate<Path> isLink) {
        Way way = Way.to(path, direct(path), isLink);
        return contains(way.end())
                ? Optional.empty()
                : way.links().stream().filter(this::contains).findFirst();
    }

    /**
     * Returns the parts that must not change for a path to keep its target: the links in the territory on it, and the
     * target, if that lies in the territory.
     *
     * @param path absolute
     */
    List<Path> parts(Path path) {
        return Way.to(path, direct(path)).parts().stream()
                .filter(this::contains)
                .toList();
    }
}
