package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.pattern.Glob;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files and directories that a policy's globs hide from commands, as found on the host, by their command-side
 * paths.
 *
 * @param files the files; a backend mounts an unreadable one over each
 * @param directories the directories; a backend mounts an empty one that cannot be entered over each
 * @param pinned the writable ancestors of paths that are not hidden by their name alone, parents first: a backend
 *     mounts them onto themselves, since a mount point cannot be renamed, and a file in a renamed directory would not
 *     be hidden from later commands
 */
public record HiddenPaths(List<String> files, List<String> directories, List<Pin> pinned) {
    private static final int MAX_DEPTH = 256;

    public static final HiddenPaths NONE = new HiddenPaths(List.of(), List.of(), List.of());

    public HiddenPaths {
        files = List.copyOf(files);
        directories = List.copyOf(directories);
        pinned = List.copyOf(pinned);
    }

    /**
     * A directory that keeps its name.
     *
     * @param host its path on the host
     * @param target its command-side path
     */
    public record Pin(Path host, String target) {}

    /**
     * Finds the paths without following links; if a link's name matches, hides its target, if that lies in the worktree
     * or a mount.
     *
     * @param policy the policy; its worktree and mounts are searched if it hides anything
     * @param backend the backend's name, for the message
     * @return the paths, sorted
     * @throws dev.paddock.executor.UnsupportedPolicyException if a file to hide has several hard links, so that
     *     commands could read it by another, or a directory cannot be searched or has more than 256 above it in its
     *     grant
     */
    public static HiddenPaths find(SandboxPolicy policy, String backend) {
        if (policy.hidden().isEmpty()) {
            return NONE;
        }
        Search search = new Search(policy);
        search.run();
        Violation.refuse(backend, search.violations);
        return new HiddenPaths(
                List.copyOf(search.files), List.copyOf(search.directories), List.copyOf(search.pins.values()));
    }

    /**
     * A directory or file that commands see.
     *
     * @param host its real path on the host
     * @param target the path by which they see it
     * @param writable whether they may change it
     */
    private record Root(Path host, String target, boolean writable) {
        String shown(Path path) {
            String rest = host.relativize(path).toString();
            return rest.isEmpty() ? target : target.endsWith("/") ? target + rest : target + "/" + rest;
        }
    }

    private static final class Search {
        private final List<Glob> globs = new ArrayList<>();
        /** Commands may see a directory of the host by several paths. */
        private final List<Root> roots = new ArrayList<>();

        private final TreeSet<String> files = new TreeSet<>();
        private final TreeSet<String> directories = new TreeSet<>();
        private final TreeMap<String, Pin> pins = new TreeMap<>();
        private final List<Violation> violations = new ArrayList<>();

        Search(SandboxPolicy policy) {
            for (String glob : policy.hidden()) {
                globs.add(Glob.compile(folded(glob)));
            }
            roots.add(new Root(policy.worktree().hostPath(), policy.worktree().commandPath(), /* writable */ true));
            for (Mount mount : policy.mounts()) {
                roots.add(new Root(mount.source(), mount.target(), mount.access() == Mount.Access.READ_WRITE));
            }
        }

        void run() {
            for (Root root : roots) {
                Path host = root.host();
                try (Pinned place = Pinned.entry(host)) {
                    BasicFileAttributes found =
                            Files.readAttributes(host, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                    if (found.isDirectory()) {
                        enter(root, place, host, 0);
                    } else {
                        visit(root, host, found);
                    }
                } catch (IOException fault) {
                    unsearchable(host, fault);
                }
            }
        }

        private void visit(Root root, Path file, BasicFileAttributes found) throws IOException {
            if (!isHidden(root, file)) {
                return;
            }
            if (found.isSymbolicLink()) {
                hideTarget(file);
            } else if (found.isDirectory() || found.isRegularFile()) {
                hide(file, found.isDirectory());
            }
        }

        private void enter(Root root, Pinned directory, Path path, int depth) {
            if (depth > MAX_DEPTH) {
                unsearchable(path, new IOException("it is more than " + MAX_DEPTH + " directories deep"));
                return;
            }
            try {
                for (Path name : directory.names()) {
                    Path child = path.resolve(name);
                    try {
                        BasicFileAttributes found = Files.readAttributes(
                                directory.at(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                        if (found.isDirectory() && !isHidden(root, child)) {
                            try (Pinned entered = directory.child(name)) {
                                enter(root, entered, child, depth + 1);
                            }
                        } else {
                            visit(root, child, found);
                        }
                    } catch (IOException fault) {
                        unsearchable(child, fault);
                    }
                }
            } catch (IOException fault) {
                unsearchable(path, fault);
            }
        }

        private void unsearchable(Path path, IOException fault) {
            if (fault instanceof NoSuchFileException || fault instanceof NotDirectoryException) {
                return; // a command has removed or replaced it
            }
            violations.add(new Violation(
                    "hide files in '" + path + "'",
                    "it could not be searched: " + FileFaults.reason(fault),
                    "make it readable, or take it out of the worktree"));
        }

        private boolean isHidden(Root root, Path path) {
            return globs.stream().anyMatch(glob -> matches(glob, root, path));
        }

        private static boolean matches(Glob glob, Root root, Path path) {
            String inRoot = folded(root.host().relativize(path).toString());
            String start = inRoot.isEmpty() ? folded(String.valueOf(path.getFileName())) : inRoot;
            return glob.matches(start, folded(root.shown(path)).substring(1));
        }

        /** Hides the target of a link in whichever granted directory it lies. */
        private void hideTarget(Path link) throws IOException {
            Path target;
            try {
                target = link.toRealPath();
            } catch (IOException leadsNowhere) {
                return;
            }
            if (roots.stream().anyMatch(root -> target.startsWith(root.host()))) {
                BasicFileAttributes attributes =
                        Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                hide(target, attributes.isDirectory());
            }
        }

        /** Hides a file or directory by every path at which commands see it. */
        private void hide(Path path, boolean isDirectory) throws IOException {
            for (Root root : roots) {
                if (path.startsWith(root.host())) {
                    if (isDirectory) {
                        directories.add(root.shown(path));
                    } else {
                        hideFile(root, path);
                    }
                    if (root.writable()
                            && globs.stream().noneMatch(glob -> glob.isNameOnly() && matches(glob, root, path))) {
                        pinParents(root, path);
                    }
                }
            }
        }

        private void pinParents(Root root, Path path) {
            Path inRoot = root.host().relativize(path);
            for (int names = 1; names < inRoot.getNameCount(); names++) {
                Path parent = root.host().resolve(inRoot.subpath(0, names));
                pins.put(root.shown(parent), new Pin(parent, root.shown(parent)));
            }
        }

        private void hideFile(Root root, Path file) throws IOException {
            if (file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
                Object links = Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
                if (links instanceof Integer number && number > 1) {
                    violations.add(new Violation(
                            "hide '" + root.shown(file) + "'",
                            "it has several hard links, so that commands could read it by another name",
                            "copy the file in place of the link"));
                }
            }
            files.add(root.shown(file));
        }

        private static String folded(String text) {
            return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        }
    }
}
