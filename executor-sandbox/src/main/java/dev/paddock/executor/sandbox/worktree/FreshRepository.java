package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Judges the protected paths of a repository that a command has created: it keeps its
 * configuration, and its hooks only if git does not run them.
 */
record FreshRepository(GuardedPaths paths) {

    /**
     * Returns the files of a protected path that may not stay.
     *
     * @param notices receives a sentence for what stays and the user should check
     */
    List<Path> dangerous(Path path, Set<String> notices) {
        if (path.endsWith("hooks")) {
            return liveHooks(path);
        }
        if (path.endsWith("config")) {
            List<String> programs = GitPrograms.in(path);
            if (!programs.isEmpty()) {
                notices.add("The new repository's configuration '" + PathBytes.escaped(path)
                        + "' makes git run programs or read more configuration: " + String.join(", ", programs)
                        + ". Check it before you use git there.");
            }
            return List.of();
        }
        boolean harmless =
                path.endsWith(".git") ? leadsHome(path) : Pinned.parentOf(path).endsWith(".git/worktrees");
        return harmless ? List.of() : List.of(path);
    }

    /**
     * Returns whether a new {@code .git} file or link points to a directory where git itself puts
     * submodules and worktrees.
     */
    private boolean leadsHome(Path pointer) {
        try {
            return GitLayout.of(Pinned.parentOf(pointer))
                    .filter(layout -> layout.linked()
                            && layout.commonDirectory().startsWith(paths.territory(layout.commonDirectory())))
                    .filter(layout -> layout.commonDirectory().endsWith(".git")
                            || layout.commonDirectory().toString().contains("/.git/modules/"))
                    .isPresent();
        } catch (IllegalArgumentException astray) {
            return false;
        }
    }

    private static List<Path> liveHooks(Path hooks) {
        if (!Files.isDirectory(hooks, LinkOption.NOFOLLOW_LINKS)) {
            // A link or a file in place of the directory is moved as a whole.
            return List.of(hooks);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(hooks, FreshRepository::isLive)) {
            return StreamSupport.stream(entries.spliterator(), false).sorted().toList();
        } catch (IOException unreadable) {
            return List.of(hooks);
        }
    }

    /**
     * Returns whether git would run a hook: git finds it by its name, and never runs a sample,
     * whatever its mode.
     */
    private static boolean isLive(Path hook) {
        return !hook.getFileName().toString().endsWith(".sample")
                && (!Files.isRegularFile(hook, LinkOption.NOFOLLOW_LINKS) || Files.isExecutable(hook));
    }
}
