package dev.paddock.harness.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The open roots; finds the root of a path. If roots are nested, the longest path wins. Paths are lists of components;
 * command paths are absolute.
 */
record RootSet(List<GrantedDirectory> all) {

    /** Returns the root that relative paths start in. */
    GrantedDirectory first() {
        return all.getFirst();
    }

    /**
     * Returns the writable root that contains the host path of another, or that root itself: no command can replace a
     * directory on the way to it.
     */
    GrantedDirectory outermost(GrantedDirectory root) {
        return all.stream()
                .filter(other -> other.writable() && other.file().isEmpty())
                .filter(other -> root.path().startsWith(other.path()))
                .min(Comparator.comparingInt(other -> other.path().getNameCount()))
                .orElse(root);
    }

    /** Returns the roots that commands see as entries of a directory, by name. */
    Map<String, GrantedDirectory> mountedIn(GrantedDirectory root, List<String> below) {
        List<String> directory = root.seen(below);
        Map<String, GrantedDirectory> mounted = new TreeMap<>();
        for (GrantedDirectory other : all) {
            List<String> point = other.point();
            if (point.size() == directory.size() + 1 && GrantedDirectory.startsWith(point, directory)) {
                mounted.putIfAbsent(point.getLast(), other);
            }
        }
        return mounted;
    }

    /** Returns whether commands see a path as a directory because another root is below it. */
    boolean leadsOn(GrantedDirectory root, List<String> below) {
        List<String> directory = root.seen(below);
        return all.stream()
                .anyMatch(other -> other.point().size() > directory.size()
                        && GrantedDirectory.startsWith(other.point(), directory));
    }

    /** Returns the entries of a directory that lead to other roots further down. */
    Set<String> onTheWay(GrantedDirectory root, List<String> below) {
        List<String> directory = root.seen(below);
        Set<String> names = new LinkedHashSet<>();
        for (GrantedDirectory other : all) {
            List<String> point = other.point();
            if (point.size() > directory.size() + 1 && GrantedDirectory.startsWith(point, directory)) {
                names.add(point.get(directory.size()));
            }
        }
        return names;
    }

    /** Returns whether no other root contains a root on the command side. */
    boolean isOutermost(GrantedDirectory root) {
        return all.stream()
                .noneMatch(other -> other.point().size() < root.point().size()
                        && GrantedDirectory.startsWith(root.point(), other.point()));
    }

    /** Returns the innermost root on the way down from a directory; empty if the way stays in the directory's root. */
    Optional<GrantedDirectory.Match> below(GrantedDirectory root, List<String> done, Collection<String> toGo) {
        if (all.size() == 1) {
            return Optional.empty();
        }
        List<String> way = new ArrayList<>(root.seen(done));
        int here = way.size();
        toGo.stream().takeWhile(part -> !part.equals("..")).forEach(way::add);
        return all.stream()
                .filter(other -> other.point().size() > here && GrantedDirectory.startsWith(way, other.point()))
                .max(Comparator.comparingInt(other -> other.point().size()))
                .map(other -> new GrantedDirectory.Match(
                        other,
                        other.point().size() - here,
                        way.subList(other.point().size(), way.size())));
    }

    /** Returns the root of a command path. */
    Optional<GrantedDirectory.Match> commandSide(List<String> absolute) {
        return all.stream()
                .filter(root -> GrantedDirectory.startsWith(absolute, root.point()))
                .max(Comparator.comparingInt(root -> root.point().size()))
                .map(root -> new GrantedDirectory.Match(
                        root, root.point().size(), absolute.subList(root.point().size(), absolute.size())));
    }

    /** Returns the innermost root that an absolute path starts in. */
    Optional<GrantedDirectory.Match> match(List<String> absolute) {
        return matchExactly(absolute).or(() -> matchExactly(normal(absolute)));
    }

    private Optional<GrantedDirectory.Match> matchExactly(List<String> components) {
        return all.stream()
                .flatMap(root -> root.match(components).stream())
                .max(Comparator.comparingInt(GrantedDirectory.Match::length));
    }

    static List<String> normal(List<String> components) {
        Deque<String> normal = new ArrayDeque<>();
        for (String part : components) {
            if (part.equals("..")) {
                normal.pollLast();
            } else {
                normal.addLast(part);
            }
        }
        return List.copyOf(normal);
    }

    /** Returns the path of a location in a listing: relative in the first root, absolute elsewhere. */
    String listed(List<String> seen) {
        if (GrantedDirectory.startsWith(seen, first().point())) {
            String below = String.join("/", seen.subList(first().point().size(), seen.size()));
            return below.isEmpty() ? "." : below;
        }
        return "/" + String.join("/", seen);
    }

    /** Returns all absolute paths of a file in some of the roots: several may contain it on the host. */
    static Set<List<String>> paths(GrantedDirectory root, List<String> resolved, Collection<GrantedDirectory> among) {
        Path host = root.host(resolved);
        Set<List<String>> paths = new LinkedHashSet<>(Set.of(root.seen(resolved)));
        for (GrantedDirectory other : among) {
            if (host.startsWith(other.host())) {
                paths.add(other.seen(
                        GrantedDirectory.components(EntryName.of(other.host().relativize(host)))));
            }
        }
        return paths;
    }

    /** Returns those of some absolute paths that are in one of the roots, relative to it. */
    static Set<List<String>> relative(Set<List<String>> paths, Collection<GrantedDirectory> among) {
        Set<List<String>> relative = new LinkedHashSet<>();
        for (List<String> path : paths) {
            for (GrantedDirectory root : among) {
                if (GrantedDirectory.startsWith(path, root.point())) {
                    relative.add(path.subList(root.point().size(), path.size()));
                }
            }
        }
        return relative;
    }

    void close() {
        UncheckedIOException failure = new UncheckedIOException(new IOException("cannot close the worktree"));
        closeAll(all, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    static void closeAll(List<GrantedDirectory> roots, Exception failure) {
        for (GrantedDirectory root : roots) {
            try {
                root.directory().close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
