package dev.paddock.executor.config.grant;

import dev.paddock.executor.os.state.StateHome;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Examines each entry of a {@code PATH}. */
final class SearchPathWalk {
    /** The kernel sandboxes show these directories to every command. */
    private static final List<Path> SYSTEM = paths("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store");

    private static final List<Path> NEVER = paths("/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run");
    private static final List<Path> ROOTS = paths("/", "/etc", "/home", "/opt", "/srv", "/var", "/root", "/mnt");

    private static final String VIRTUAL_ENVIRONMENT = "VIRTUAL_ENV";

    /** The most links of one directory whose files are granted. */
    private static final int MAX_LINKS = 256;

    private final UserContext user;
    private final PathMapping mapping;
    private final Path worktree;
    private final Path home;
    /** The real paths of Paddock's caches and state. */
    private final List<Path> own;

    private final Trust trust;
    private final Set<String> entries = new LinkedHashSet<>();
    private final Set<Path> granted = new LinkedHashSet<>();
    private final Set<Path> roots = new LinkedHashSet<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> skipped = new ArrayList<>();

    private SearchPathWalk(UserContext user, PathMapping worktree) {
        this.user = user;
        mapping = worktree;
        this.worktree = existing(worktree.hostPath());
        home = existing(user.home());
        trust = Trust.of(home);
        own = new ArrayList<>(List.of(existing(user.cacheHome())));
        StateHome.of(user.environment(), user.home().toString()).ifPresent(state -> own.add(existing(state)));
    }

    static SearchPathWalk of(UserContext user, PathMapping worktree) {
        SearchPathWalk walk = new SearchPathWalk(user, worktree);
        String path = user.environment().getOrDefault("PATH", "");
        if (!path.isEmpty()) {
            for (String entry : path.split(":", -1)) {
                walk.add(entry);
            }
            // An empty PATH would mean the current directory.
            walk.variables.put(
                    "PATH", walk.entries.isEmpty() ? HostEnvironment.SYSTEM_PATH : String.join(":", walk.entries));
        }
        walk.passHomes();
        return walk;
    }

    List<String> skipped() {
        return List.copyOf(skipped);
    }

    Grant grant() {
        List<Mount> mounts = new ArrayList<>();
        for (Path path : granted) {
            boolean isInside = granted.stream().anyMatch(other -> !other.equals(path) && path.startsWith(other));
            if (!isInside) {
                mounts.add(new Mount(path, path.toString(), Mount.Access.READ_ONLY));
            }
        }
        return new Grant(mounts, variables);
    }

    private void add(String text) {
        Path entry;
        try {
            entry = Path.of(text).normalize();
        } catch (InvalidPathException noPath) {
            return;
        }
        if (!entry.isAbsolute()) {
            skipped.add("'" + text + "': it is relative, so its meaning depends on the current directory");
            return;
        }
        Optional<Path> real = real(entry).filter(Files::isDirectory);
        if (real.isEmpty()) {
            return;
        }
        if (isIn(SYSTEM, real.get())) {
            entries.add((isIn(SYSTEM, entry) ? entry : real.get()).toString());
            return;
        }
        if (real.get().startsWith(worktree) && !real.get().equals(worktree)) {
            entries.add(asCommandsSee(real.get())); // in the sandbox already: nothing is granted
            return;
        }
        Optional<String> objection = isNamedInWorktree(entry)
                ? Optional.of("a link in the worktree leads there, which commands can write")
                : objection(real.get());
        if (objection.isPresent()) {
            skipped.add("'" + entry + "': " + objection.get());
            return;
        }
        entries.add(entry.toString());
        addParts(entry);
    }

    private String asCommandsSee(Path real) {
        return mapping.commandPath() + "/" + worktree.relativize(real);
    }

    /** Returns whether an entry or a parent is in the worktree before links are resolved. */
    private boolean isNamedInWorktree(Path entry) {
        for (@Nullable Path above = entry.getParent(); above != null; above = above.getParent()) {
            if (existing(above).startsWith(worktree)) {
                return true;
            }
        }
        return entry.startsWith(mapping.hostPath());
    }

    private Optional<String> objection(Path real) {
        if (home.startsWith(real) || ROOTS.contains(real)) {
            return Optional.of("it contains more than programs");
        }
        if (overlaps(real, worktree)) {
            return Optional.of("commands can write to the worktree");
        }
        if (isIn(NEVER, real)) {
            return Optional.of("it is in a temporary or kernel directory");
        }
        if (own.stream().anyMatch(files -> overlaps(real, files))) {
            return Optional.of("it contains Paddock's own files");
        }
        return trust.objection(real);
    }

    private void addParts(Path entry) {
        for (Manager manager : Manager.ALL) {
            if (manager.owns(entry, user)) {
                addManager(manager);
                if (manager.hasLinks()) {
                    addLinkedFiles(entry);
                }
                return;
            }
        }
        @Nullable Path prefix = entry.getParent();
        if (prefix != null && !isIn(SYSTEM, prefix) && !user.home().startsWith(prefix)) {
            Optional<Manager.Prefix> form = Manager.prefixIn(prefix);
            if (form.isPresent()) {
                form.get().parts().forEach(part -> addPart(prefix.resolve(part)));
                roots.add(prefix);
            }
        }
        addPart(entry);
        addLinkedFiles(entry);
    }

    private void addManager(Manager manager) {
        for (Manager.Tree tree : manager.trees()) {
            Path root = tree.root(user);
            tree.parts().forEach(part -> addPart(root.resolve(part)));
            if (tree.isPassed() && Files.isDirectory(root)) {
                variables.put(tree.variable(), root.toString());
            }
        }
        variables.putAll(manager.variables());
    }

    private void addPart(Path path) {
        Optional<Path> real = real(path);
        if (real.isPresent()
                && !isIn(SYSTEM, real.get())
                && objection(real.get()).isEmpty()) {
            granted.add(path);
        }
    }

    /** Adds the targets of a directory's links, not their directories. */
    private void addLinkedFiles(Path directory) {
        int links = 0;
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory.resolve("."), Files::isSymbolicLink)) {
            for (Path link : children) {
                Optional<Path> file = real(link).filter(Files::isRegularFile).filter(Files::isExecutable);
                if (file.isPresent() && ++links <= MAX_LINKS) {
                    addPart(file.get());
                }
            }
        } catch (IOException fault) {
            skipped.add("the links in '" + directory + "': they cannot be read (" + FileFaults.reason(fault) + ")");
        }
    }

    private void passHomes() {
        for (String name : Manager.HOMES) {
            user.path(name).filter(this::isGranted).ifPresent(path -> variables.put(name, path.toString()));
        }
        user.path(VIRTUAL_ENVIRONMENT)
                .flatMap(SearchPathWalk::real)
                .filter(path -> path.startsWith(worktree) && !path.equals(worktree))
                .ifPresent(path -> variables.put(VIRTUAL_ENVIRONMENT, asCommandsSee(path)));
    }

    private boolean isGranted(Path path) {
        return isIn(SYSTEM, path) || roots.contains(path) || isIn(granted, path);
    }

    private static boolean overlaps(Path one, Path other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    private static boolean isIn(Iterable<Path> directories, Path path) {
        for (Path directory : directories) {
            if (path.startsWith(directory)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the real path, or the path itself where nothing exists yet. */
    private static Path existing(Path path) {
        return real(path).orElse(path);
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private static List<Path> paths(String... names) {
        return Stream.of(names).map(Path::of).toList();
    }
}
