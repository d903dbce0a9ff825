package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.GitPointers;
import dev.paddock.executor.worktree.git.Territory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Follows the pointers by which git finds the parts of repositories. An unchanged pointer leads elsewhere once a link
 * is on the path that it names. Pointers are a {@code .git} that is no directory, the files of a git directory that
 * name paths, and the links in it.
 */
final class Ways {
    private final Territory territory;
    private final DirectoryCache cache;

    Ways(TreeIndex tree) {
        this.territory = tree.territory();
        this.cache = tree.cache();
    }

    /** Returns whether a protected path is a {@code .git} that is no directory: it is its own owner. */
    static boolean isPointer(Path path, Path owner) {
        return path.equals(owner) && path.endsWith(".git");
    }

    /**
     * Returns the links on the paths to the git directories and pointers of a baseline, and on those that these name.
     */
    Set<Path> links(Baseline named, Collection<GitBaseline.State> git) {
        Set<Path> links = new TreeSet<>();
        named.known().forEach((path, known) -> {
            if (isPointer(path, known.owner())) {
                links.addAll(linksTo(Pinned.parentOf(path)));
                namedBy(path, known.state()).forEach(target -> links.addAll(linksTo(target)));
            }
        });
        for (GitBaseline.State state : git) {
            links.addAll(linksTo(state.repository().gitDirectory()));
            namedIn(state, link -> true).forEach(target -> links.addAll(linksTo(target)));
        }
        return links;
    }

    /** Returns the links in the worktree on a path, in order. */
    List<Path> linksTo(Path path) {
        return territory.links(path, this::isLink);
    }

    /** Returns the first link in the worktree on a path, if the path ends outside. */
    Optional<Path> linkOut(Path path) {
        return territory.linkOut(path, this::isLink);
    }

    private boolean isLink(Path path) {
        return cache.at(path).isLink();
    }

    /**
     * Returns the path that a {@code .git} names.
     *
     * @param state its state before the commands, and now
     */
    Stream<Path> namedBy(Path dotGit, Fingerprint state) {
        Optional<Path> named = isLink(dotGit)
                ? target(dotGit)
                : content(dotGit, state).flatMap(content -> GitPointers.gitFile(dotGit, content));
        return named.stream();
    }

    /**
     * Returns the paths that the files and links of a git directory name.
     *
     * @param state the git directory before the commands, by which its files are read
     * @param isUnchanged selects the links, by absolute path: their targets are read now
     */
    Stream<Path> namedIn(GitBaseline.State state, Predicate<Path> isUnchanged) {
        Path directory = state.repository().gitDirectory();
        List<Path> named =
                GitPointers.namedIn(directory, file -> state.before(file).flatMap(before -> content(file, before)));
        Stream<Path> linked = state.entries().links().stream()
                .map(directory::resolve)
                .filter(isUnchanged)
                .flatMap(link -> target(link).stream());
        return Stream.concat(named.stream(), linked);
    }

    private static Optional<String> content(Path file, Fingerprint state) {
        return state.text().or(() -> SmallFile.read(file));
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(link.resolveSibling(Files.readSymbolicLink(link)));
        } catch (IOException replaced) {
            return Optional.empty(); // it is examined itself
        }
    }
}
