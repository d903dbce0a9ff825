package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.pattern.IgnoreRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Visits the entries below a directory, all or those that are not ignored, in path order. Visits links but does not
 * follow them; omits {@code .git}; visits a mount instead of an entry that it hides. Skips and counts entries that
 * cannot be read.
 */
public final class TreeWalk {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_RULE_BYTES = 1 << 20;

    private final ContainedFiles files;
    private final boolean all;
    private final AbortSignal signal;
    private final Visitor visitor;
    private int unreadable;

    /**
     * Prepares a walk.
     *
     * @param all whether ignored entries and {@code .git} are visited too
     */
    public TreeWalk(ContainedFiles files, boolean all, AbortSignal signal, Visitor visitor) {
        this.files = files;
        this.all = all;
        this.signal = signal;
        this.visitor = visitor;
    }

    @FunctionalInterface
    public interface Visitor {
        /** Visits an entry; returning false ends the walk. */
        boolean visit(Entry entry) throws IOException;
    }

    /**
     * A visited entry.
     *
     * @param in its directory; open only during the visit
     * @param name its name there; {@code .} for a mounted directory, which is open itself
     * @param root its root
     * @param resolved its path in that root
     * @param path its path from the root that the walk started in
     * @param attributes its attributes, for a link its own
     */
    public record Entry(
            Directory in,
            String name,
            GrantedDirectory root,
            List<String> resolved,
            String path,
            BasicFileAttributes attributes) {

        /**
         * Returns the sort key. A directory sorts like its content, so that entries are in path
         * order.
         */
        public String key() {
            return attributes.isDirectory() ? path + "/" : path;
        }
    }

    public int unreadable() {
        return unreadable;
    }

    /** Walks a directory under the ignore rules of its parents; walks the start itself even if they ignore it. */
    public void walk(Location start) throws IOException {
        IgnoreRules rules = IgnoreRules.none();
        String path = "";
        try (Directory root = start.root().directory().openDirectory(".")) {
            rules = exclude(root);
        }
        List<String> above = start.resolved();
        Directory current = MountView.top(files.roots(), start.root());
        try {
            for (String name : above) {
                rules = withRulesOf(current, path, rules);
                Directory next = current.openDirectory(name);
                current.close();
                current = next;
                path = path + name + "/";
            }
            below(new Level(current, start.root(), above, path), rules, 0);
        } finally {
            current.close();
        }
    }

    /** A directory of the walk, its root, its path there, and its path from the start's root. */
    private record Level(Directory directory, GrantedDirectory root, List<String> resolved, String path) {}

    private boolean below(Level level, IgnoreRules above, int depth) throws IOException {
        IgnoreRules rules = withRulesOf(level.directory(), level.path(), above);
        for (Entry entry : entries(level)) {
            signal.throwIfAborted();
            boolean isDirectory = entry.attributes().isDirectory();
            boolean git = !all && entry.path().equals(level.path() + ".git");
            if (git || rules.ignores(entry.path(), isDirectory)) {
                continue;
            }
            if (!visitor.visit(entry) || (isDirectory && !into(entry, rules, depth))) {
                return false;
            }
        }
        return true;
    }

    private boolean into(Entry entry, IgnoreRules rules, int depth) throws IOException {
        if (depth == MAX_DEPTH) {
            unreadable++;
            return true;
        }
        Directory next;
        try {
            next = entry.name().equals(".")
                    ? MountView.top(files.roots(), entry.root())
                    : entry.in().openDirectory(entry.name());
        } catch (IOException gone) {
            unreadable++;
            return true;
        }
        try (next) {
            return below(new Level(next, entry.root(), entry.resolved(), entry.path() + "/"), rules, depth + 1);
        }
    }

    private List<Entry> entries(Level level) {
        List<Entry> entries = new ArrayList<>();
        Map<String, GrantedDirectory> mounted = files.roots().mountedIn(level.root(), level.resolved());
        try {
            for (String name : names(level.directory())) {
                signal.throwIfAborted();
                if (!mounted.containsKey(name)) {
                    List<String> resolved = new ArrayList<>(level.resolved());
                    resolved.add(name);
                    look(level.directory(), name, level.root(), resolved, level.path() + name)
                            .ifPresent(entries::add);
                }
            }
        } catch (IOException gone) {
            unreadable++;
        }
        mounted.forEach(
                (name, root) -> look(root.directory(), root.file().orElse("."), root, List.of(), level.path() + name)
                        .ifPresent(entries::add));
        entries.sort(Comparator.comparing(Entry::key));
        return entries;
    }

    private List<String> names(Directory directory) throws IOException {
        List<String> names = new ArrayList<>();
        directory.list(name -> {
            signal.throwIfAborted(); // a command can add entries faster than they are read
            names.add(name);
        });
        return names;
    }

    private Optional<Entry> look(
            Directory directory, String name, GrantedDirectory root, List<String> resolved, String path) {
        try {
            Optional<BasicFileAttributes> found = directory.attributes(name);
            if (found.isPresent() && files.showsProcesses(root, found.get())) {
                unreadable++;
                return Optional.empty();
            }
            return found.map(attributes -> new Entry(directory, name, root, resolved, path, attributes));
        } catch (IOException gone) {
            unreadable++;
            return Optional.empty();
        }
    }

    private IgnoreRules withRulesOf(Directory directory, String path, IgnoreRules above) throws IOException {
        return all
                ? above
                : text(directory, ".gitignore")
                        .map(text -> above.with(path, text))
                        .orElse(above);
    }

    private IgnoreRules exclude(Directory root) throws IOException {
        if (all
                || root.attributes(".git")
                        .filter(BasicFileAttributes::isDirectory)
                        .isEmpty()) {
            return IgnoreRules.none();
        }
        try (Directory git = root.openDirectory(".git")) {
            if (git.attributes("info").filter(BasicFileAttributes::isDirectory).isEmpty()) {
                return IgnoreRules.none();
            }
            try (Directory info = git.openDirectory("info")) {
                return text(info, "exclude")
                        .map(text -> IgnoreRules.none().with("", text))
                        .orElse(IgnoreRules.none());
            }
        }
    }

    /**
     * Returns the start of a small file; empty if the entry is not a regular file: git does not follow a link here
     * either.
     */
    private Optional<String> text(Directory directory, String name) throws IOException {
        if (directory
                .attributes(name)
                .filter(BasicFileAttributes::isRegularFile)
                .isEmpty()) {
            return Optional.empty();
        }
        try (SeekableByteChannel channel = directory.openFile(name)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 13);
            while (content.size() < MAX_RULE_BYTES && channel.read(buffer.clear()) >= 0) {
                signal.throwIfAborted();
                content.write(buffer.array(), 0, buffer.position());
            }
            return Optional.of(content.toString(StandardCharsets.UTF_8));
        } catch (IOException gone) {
            unreadable++;
            return Optional.empty();
        }
    }
}
