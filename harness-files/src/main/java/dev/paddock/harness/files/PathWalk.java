package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotLinkException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Resolves one path from a root to its location. Checks and opens each component relative to the open directory before
 * it, and never through a link. This class resolves links itself: a link's target replaces it in the remaining
 * components, and is contained like any path from the model.
 */
final class PathWalk implements AutoCloseable {
    /** Linux's own limit. */
    private static final int MAX_LINKS = 40;

    private final ContainedFiles files;
    private final RootSet roots;
    private final String shown;
    private final Purpose purpose;
    private final Deque<String> toGo = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private GrantedDirectory root;
    private Directory current;
    private int links;
    private boolean released;

    /** The purpose of a location. */
    enum Purpose {
        /** To read what the path leads to. */
        TARGET,
        /** To read the entry itself, also if it is a link. */
        ENTRY,
        /** To write what the path leads to. Ignores directories that only commands see. */
        WRITTEN_TARGET,
        /** To create or remove the entry itself. Ignores directories that only commands see. */
        WRITTEN_ENTRY;

        boolean followsLast() {
            return this == TARGET || this == WRITTEN_TARGET;
        }

        boolean reads() {
            return this == TARGET || this == ENTRY;
        }
    }

    /** Starts at the top of a root. */
    PathWalk(ContainedFiles files, GrantedDirectory root, List<String> components, String shown, Purpose purpose)
            throws IOException {
        this.files = files;
        this.roots = files.roots();
        this.shown = shown;
        this.purpose = purpose;
        this.root = root;
        this.current = top(root);
        toGo.addAll(components);
    }

    /** Walks all components. The location owns the last directory. */
    Location locate() throws IOException {
        while (!toGo.isEmpty()) {
            cross();
            if (root.file().isPresent()) {
                return file(root.file().get());
            }
            if (toGo.isEmpty()) {
                break;
            }
            String name = toGo.removeFirst();
            if (name.equals("..")) {
                up();
                continue;
            }
            Optional<BasicFileAttributes> found = ordinary(current.attributes(name));
            if (found.isPresent() && found.get().isSymbolicLink() && (purpose.followsLast() || !toGo.isEmpty())) {
                follow(name);
            } else if (toGo.isEmpty() || found.isEmpty()) {
                return end(name, found);
            } else if (found.get().isDirectory()) {
                down(name);
            } else {
                throw new FileException(
                        Reason.NOT_A_DIRECTORY, shown, "not a directory: " + name + ", in the path " + shown);
            }
        }
        if (root.file().isPresent()) {
            return file(root.file().get());
        }
        Optional<BasicFileAttributes> itself = ordinary(Optional.of(current.attributes()));
        return new Location(root, List.copyOf(done), shown, release(), List.of(), ".", itself);
    }

    /** Refuses an entry that shows processes; returns every other one. */
    private Optional<BasicFileAttributes> ordinary(Optional<BasicFileAttributes> found) {
        if (found.isPresent() && files.showsProcesses(root, found.get())) {
            throw new FileException(
                    Reason.NOT_READABLE,
                    shown,
                    shown + " shows the environment and memory of processes, this program's among them, and is not "
                            + "opened by file tools. Look at it through a command");
        }
        return found;
    }

    /** Changes to the root at this path, if there is one. */
    private void cross() throws IOException {
        Optional<GrantedDirectory.Match> next = roots.below(root, done, toGo);
        if (next.isPresent()) {
            for (int passed = 0; passed < next.get().length(); passed++) {
                toGo.removeFirst();
            }
            restart(next.get().root());
        }
    }

    /** Ends at a root that is a single file, which a link may have replaced. */
    private Location file(String name) throws IOException {
        Optional<BasicFileAttributes> found = ordinary(current.attributes(name));
        if (!toGo.isEmpty()) {
            throw new FileException(
                    Reason.NOT_A_DIRECTORY, shown, "not a directory: " + root.shown() + ", in the path " + shown);
        }
        if (found.isPresent() && found.get().isSymbolicLink()) {
            throw files.outsideThroughLink(shown);
        }
        return new Location(root, List.of(), shown, release(), List.of(), name, found);
    }

    private Location end(String name, Optional<BasicFileAttributes> found) {
        List<String> rest = new ArrayList<>(List.of(name));
        rest.addAll(toGo);
        if (rest.contains("..")) {
            throw new FileException(Reason.NOT_FOUND, shown, "no such directory: " + name + ", in the path " + shown);
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
     * Handles {@code ..} by walking down from the root again: the parent entry of an open directory may lead anywhere
     * by now. Above a root's top, the walk continues at the root's command path.
     */
    private void up() throws IOException {
        if (done.isEmpty()) {
            List<String> way = new ArrayList<>(root.point());
            way.add("..");
            way.addAll(toGo);
            toGo.clear();
            enter(roots.commandSide(RootSet.normal(way)).orElseThrow(() -> files.outside(Reason.OUTSIDE, shown)));
            return;
        }
        List<String> again = List.copyOf(done.subList(0, done.size() - 1));
        restart(root);
        for (String name : again) {
            down(name);
        }
    }

    private void enter(GrantedDirectory.Match match) throws IOException {
        restart(match.root());
        for (String part : match.below().reversed()) {
            toGo.addFirst(part);
        }
    }

    private void restart(GrantedDirectory from) throws IOException {
        current.close();
        root = from;
        current = top(from);
        done.clear();
    }

    private Directory top(GrantedDirectory from) throws IOException {
        return purpose.reads() ? MountView.top(roots, from) : from.directory().openDirectory(".");
    }

    /**
     * Follows a link. Java has no {@code readlink} relative to an open directory, so this reads the link by its path,
     * which may lead to another link by now. That link's target is walked with the same checks, and never shown.
     */
    private void follow(String name) throws IOException {
        if (++links > MAX_LINKS) {
            throw new FileException(
                    Reason.INVALID_PATH, shown, "more than " + MAX_LINKS + " symbolic links on the way: " + shown);
        }
        String target;
        try {
            List<String> link = new ArrayList<>(done);
            link.add(name);
            target = EntryName.of(Files.readSymbolicLink(root.host(link)));
        } catch (NotLinkException changed) {
            throw new FileException(Reason.CHANGED, shown, shown + " changed during the call; try again");
        }
        List<String> components = GrantedDirectory.components(target);
        PathSyntax.requireReasonable(components.size() + toGo.size(), shown);
        if (PathSyntax.isAbsolute(target)) {
            enter(roots.match(components).orElseThrow(() -> files.outsideThroughLink(shown)));
        } else if (climbsOut(components)) {
            List<String> way = root.seen(done);
            way.addAll(components);
            enter(roots.commandSide(RootSet.normal(way)).orElseThrow(() -> files.outsideThroughLink(shown)));
        } else {
            components.reversed().forEach(toGo::addFirst);
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
