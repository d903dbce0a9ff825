package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.pattern.Glob;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files and directories that a policy's globs hide from commands, as found on the host now, by
 * their paths on the command's side.
 *
 * @param files the files, over which a backend mounts one that cannot be read
 * @param directories the directories, over which a backend mounts an empty one that cannot be entered
 */
public record HiddenPaths(List<String> files, List<String> directories) {
    /** No paths. */
    public static final HiddenPaths NONE = new HiddenPaths(List.of(), List.of());

    /**
     * Finds the paths. Follows no link; of a link whose name matches, its target is hidden, if that
     * lies in the worktree or a mount.
     *
     * @param policy the policy; its worktree and mounts are searched if it hides anything
     * @param backend the backend's name, for the message
     * @return the paths, sorted
     * @throws dev.paddock.executor.UnsupportedPolicyException if a file to hide has several hard
     *     links, so that commands could read it by another, or a directory cannot be searched
     */
    public static HiddenPaths find(SandboxPolicy policy, String backend) {
        if (policy.hidden().isEmpty()) {
            return NONE;
        }
        Search search = new Search(policy);
        search.run();
        Violation.refuse(backend, search.violations);
        return new HiddenPaths(List.copyOf(search.files), List.copyOf(search.directories));
    }

    private static final class Search {
        private final List<Glob> globs = new ArrayList<>();
        /** The host's directories, the deepest command-side path last. */
        private final Map<Path, String> roots = new TreeMap<>();

        private final TreeSet<String> files = new TreeSet<>();
        private final TreeSet<String> directories = new TreeSet<>();
        private final List<Violation> violations = new ArrayList<>();

        Search(SandboxPolicy policy) {
            for (String glob : policy.hidden()) {
                globs.add(Glob.compile(folded(glob)));
            }
            for (Mount mount : policy.mounts()) {
                roots.put(mount.source(), mount.target());
            }
            roots.put(policy.worktree().hostPath(), policy.worktree().commandPath());
        }

        void run() {
            roots.forEach((host, shown) -> {
                try {
                    Files.walkFileTree(host, new Visitor(host));
                } catch (IOException fault) {
                    unsearchable(host, fault);
                }
            });
        }

        private void unsearchable(Path path, IOException fault) {
            violations.add(new Violation(
                    "hide files in '" + path + "'",
                    "it could not be searched: " + fault,
                    "make it readable, or take it out of the worktree"));
        }

        private boolean isHidden(Path root, Path path) {
            String inRoot = folded(root.relativize(path).toString());
            String absolute = folded(shown(root, path)).substring(1);
            String start = inRoot.isEmpty() ? folded(root.getFileName().toString()) : inRoot;
            return globs.stream().anyMatch(glob -> glob.matches(start, absolute));
        }

        private String shown(Path root, Path path) {
            String target = String.valueOf(roots.get(root));
            String rest = root.relativize(path).toString();
            return rest.isEmpty() ? target : target.endsWith("/") ? target + rest : target + "/" + rest;
        }

        /** Hides the target of a link in whichever granted directory it lies. */
        private void hideTarget(Path link) throws IOException {
            Path target;
            try {
                target = link.toRealPath();
            } catch (IOException leadsNowhere) {
                return;
            }
            for (Path root : roots.keySet()) {
                if (target.startsWith(root)) {
                    BasicFileAttributes attributes =
                            Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                    if (attributes.isDirectory()) {
                        directories.add(shown(root, target));
                    } else {
                        hideFile(root, target);
                    }
                }
            }
        }

        private void hideFile(Path root, Path file) throws IOException {
            if (file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
                Object links = Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
                if (links instanceof Integer number && number > 1) {
                    violations.add(new Violation(
                            "hide '" + shown(root, file) + "'",
                            "it has several hard links, so that commands could read it by another name",
                            "copy the file in place of the link"));
                }
            }
            files.add(shown(root, file));
        }

        private final class Visitor extends SimpleFileVisitor<Path> {
            private final Path root;

            Visitor(Path root) {
                this.root = root;
            }

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                if (!directory.equals(root) && isHidden(root, directory)) {
                    directories.add(shown(root, directory));
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isHidden(root, file)) {
                    if (attributes.isSymbolicLink()) {
                        hideTarget(file);
                    } else if (attributes.isRegularFile()) {
                        hideFile(root, file);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException fault) {
                if (!(fault instanceof NoSuchFileException)) {
                    unsearchable(path, fault);
                }
                return FileVisitResult.CONTINUE;
            }
        }

        private static String folded(String text) {
            return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        }
    }
}
