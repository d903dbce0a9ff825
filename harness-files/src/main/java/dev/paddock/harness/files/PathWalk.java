package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Resolves one path from a root to its location. Each component is checked and opened relative to
 * the preceding directory, which is held open, and never through a link. Links are resolved in this
 * class: a link's target replaces it in the remaining components, so that it is contained like any
 * path that the model could have named itself.
 */
final class PathWalk implements AutoCloseable {
    /** The number of links that Linux follows. */
    private static final int MOST_LINKS = 40;

    private final ContainedFiles files;
    private final String shown;
    private final Deque<String> toGo = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private GrantedDirectory root;
    private Directory current;
    private int links;
    private boolean released;

    PathWalk(ContainedFiles files, GrantedDirectory root, List<String> components, String shown) throws IOException {
        this.files = files;
        this.shown = shown;
        this.root = root;
        this.current = root.directory().openDirectory(".");
        toGo.addAll(components);
    }

    /** Walks all components. The location owns the directory in which the walk ended. */
    Location locate() throws IOException {
        while (!toGo.isEmpty()) {
            String name = toGo.removeFirst();
            if (name.equals("..")) {
                up();
                continue;
            }
            Optional<BasicFileAttributes> found = current.attributes(name);
            if (found.isPresent() && found.get().isSymbolicLink()) {
                follow(name);
            } else if (toGo.isEmpty() || found.isEmpty()) {
                return end(name, found);
            } else if (found.get().isDirectory()) {
                down(name);
            } else {
                throw new FileException(shown, "not a directory: " + name + ", in the path " + shown);
            }
        }
        Optional<BasicFileAttributes> itself = Optional.of(current.attributes());
        return new Location(root, List.copyOf(done), shown, release(), List.of(), ".", itself);
    }

    private Location end(String name, Optional<BasicFileAttributes> found) {
        List<String> rest = new ArrayList<>(List.of(name));
        rest.addAll(toGo);
        if (rest.contains("..")) {
            throw new FileException(shown, "no such directory: " + name + ", in the path " + shown);
        }
        List<String> resolved = new ArrayList<>(done);
        resolved.addAll(rest);
        return new Location(
                root,
                Collections.unmodifiableList(resolved),
                shown,
                release(),
                List.copyOf(rest.subList(0, rest.size() - 1)),
                rest.getLast(),
                found);
    }

    private void down(String name) throws IOException {
        Directory next = current.openDirectory(name);
        current.close();
        current = next;
        done.add(name);
    }

    /**
     * Handles {@code ..} by walking down from the root again: the parent entry of an open directory
     * may lead anywhere by now.
     */
    private void up() throws IOException {
        if (done.isEmpty()) {
            throw files.outside(shown);
        }
        List<String> again = List.copyOf(done.subList(0, done.size() - 1));
        restart(root);
        for (String name : again) {
            down(name);
        }
    }

    private void restart(GrantedDirectory from) throws IOException {
        current.close();
        root = from;
        current = from.directory().openDirectory(".");
        done.clear();
    }

    /**
     * Follows a link. Java has no {@code readlink} relative to an open directory, so the link is
     * read by its path, which may lead elsewhere by now: then the target of another link is used
     * instead. It is walked with the same checks as any other, and never shown.
     */
    private void follow(String name) throws IOException {
        if (++links > MOST_LINKS) {
            throw new FileException(shown, "more than " + MOST_LINKS + " symbolic links on the way: " + shown);
        }
        Path link = root.path();
        for (String part : done) {
            link = link.resolve(part);
        }
        String target;
        try {
            target = Files.readSymbolicLink(link.resolve(name)).toString();
        } catch (NotLinkException changed) {
            throw new FileException(shown, shown + " changed during the call; try again");
        }
        List<String> components = GrantedDirectory.components(target);
        if (files.isAbsolute(target)) {
            GrantedDirectory.Match match = files.match(target).orElseThrow(() -> files.outsideThroughLink(shown));
            restart(match.root());
            components = match.below();
        } else if (climbsOut(components)) {
            throw files.outsideThroughLink(shown);
        }
        ContainedFiles.requireReasonable(components.size() + toGo.size(), shown);
        for (String part : components.reversed()) {
            toGo.addFirst(part);
        }
    }

    /** Returns whether leading parent entries lead above the root. */
    private boolean climbsOut(List<String> components) {
        int up = 0;
        while (up < components.size() && components.get(up).equals("..")) {
            up++;
        }
        return up > done.size();
    }

    private Directory release() {
        released = true;
        return current;
    }

    @Override
    public void close() throws IOException {
        if (!released) {
            current.close();
        }
    }
}
