package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The kernel's resolution of a path. Behind a link {@code ..} is the parent of the link's target, which {@link
 * Path#normalize} ignores.
 *
 * @param links the symbolic links on the path, in order, each by a path without links, including the path itself if it
 *     is one
 * @param end the resolved path, without links; it need not exist
 */
public record Way(List<Path> links, Path end) {
    /** The kernel follows no more. */
    private static final int MAX_LINKS = 40;

    private static final Path HERE = Path.of(".");
    private static final Path ABOVE = Path.of("..");

    public Way {
        links = List.copyOf(links);
    }

    /** Follows an absolute path. */
    public static Way to(Path path) {
        return to(path, 0);
    }

    /**
     * Follows an absolute path.
     *
     * @param direct how many of its first names are known to be no links
     */
    public static Way to(Path path, int direct) {
        return to(path, direct, Way::isLink);
    }

    /**
     * Follows an absolute path.
     *
     * @param direct how many of its first names are known to be no links
     * @param isLink returns whether a path without links to it is a link
     */
    public static Way to(Path path, int direct, Predicate<Path> isLink) {
        Path root = Objects.requireNonNull(path.getRoot());
        Deque<Path> left = new ArrayDeque<>();
        pushNames(path, direct, left);
        List<Path> links = new ArrayList<>();
        Path here = direct == 0 ? root : root.resolve(path.subpath(0, direct));
        while (!left.isEmpty() && links.size() <= MAX_LINKS) {
            Path name = left.pop();
            if (name.equals(ABOVE)) {
                Path parent = here.getParent();
                here = parent == null ? root : parent;
            } else if (!name.equals(HERE)) {
                Path entry = here.resolve(name);
                Optional<Path> target = isLink.test(entry) ? target(entry) : Optional.empty();
                if (target.isPresent()) {
                    links.add(entry);
                    pushNames(target.get(), 0, left);
                    here = target.get().isAbsolute() ? root : here;
                } else {
                    here = entry;
                }
            }
        }
        return new Way(links, here);
    }

    private static void pushNames(Path path, int first, Deque<Path> left) {
        for (int at = path.getNameCount() - 1; at >= first; at--) {
            left.push(path.getName(at));
        }
    }

    private static boolean isLink(Path path) {
        try {
            return FileStatus.of(path).filter(FileStatus::isLink).isPresent();
        } catch (IOException unreadable) {
            return false; // git cannot follow it either
        }
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (IOException replaced) {
            return Optional.empty(); // by a live command; a later examination follows the result
        }
    }

    public List<Path> parts() {
        List<Path> parts = new ArrayList<>(links);
        parts.add(end);
        return parts;
    }
}
