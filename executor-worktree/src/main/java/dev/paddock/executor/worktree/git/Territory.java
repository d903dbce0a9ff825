package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The directories that the guard watches, outside which commands cannot write, and the user's git behavior in them.
 *
 * @param roots real paths: the worktree, and its git directories if they are outside it
 * @param owners the user ids whose files commands may leave: the worktree's owner, and the user
 *     that commands run as
 * @param obeyed selects the entries of an index that a checkout writes where programs of the host obey them
 * @param recordsMerges whether the user's own configuration makes git record and replay merges
 *     ({@code rerere.enabled}) in every repository
 */
public record Territory(List<Path> roots, Set<Integer> owners, ObeyedNames obeyed, boolean recordsMerges) {

    /** Creates a territory. */
    public Territory {
        roots = List.copyOf(roots);
        owners = Set.copyOf(owners);
    }

    /** Creates a territory of a user who has configured nothing. */
    public Territory(List<Path> roots, Set<Integer> owners) {
        this(roots, owners, ObeyedNames.NONE, false);
    }

    /** Returns whether a real path lies in the territory. */
    boolean contains(Path path) {
        return roots.stream().anyMatch(path::startsWith);
    }

    /**
     * Returns the real path of something in the territory that is reached without a link in the
     * territory. Links above it, which no command can change, are followed.
     *
     * @param path absolute
     * @return empty if nothing exists there, it lies outside, or a link leads to it
     */
    Optional<Path> real(Path path) {
        try {
            Path real = path.toRealPath();
            return contains(real) && isDirect(path.normalize(), real) ? Optional.of(real) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private boolean isDirect(Path path, Path real) throws IOException {
        if (path.equals(real)) {
            return true;
        }
        Path above = path.getRoot();
        for (Path name : path) {
            above = above == null ? name : above.resolve(name);
            if (!Files.exists(above)) {
                return false; // the way has "..", beyond a link
            }
            Path realAbove = above.toRealPath();
            if (contains(realAbove)) {
                return realAbove.resolve(above.relativize(path)).equals(real);
            }
        }
        return false;
    }
}
