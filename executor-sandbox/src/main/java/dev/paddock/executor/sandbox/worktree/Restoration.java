package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

/**
 * Moves files that a command has added at protected paths to the quarantine, and restores files
 * that it has changed there.
 */
final class Restoration {
    private final UnaryOperator<Path> territory;
    private final GuardStore store;
    private final List<String> notices;

    /**
     * Creates a restoration.
     *
     * @param territory returns the closest directory above a path whose own path no command can
     *     change
     * @param store holds the copies and the quarantine
     * @param notices receives a sentence for each file moved or restored
     */
    Restoration(UnaryOperator<Path> territory, GuardStore store, List<String> notices) {
        this.territory = territory;
        this.store = store;
        this.notices = notices;
    }

    void quarantine(Path path) {
        move(path)
                .ifPresent(moved -> notices.add("The command created the protected path '" + path
                        + "'. It was moved to '" + moved + "' because programs on the host obey what stands there."));
    }

    void restore(Path path) {
        Optional<Path> moved = move(path);
        String what = "The command changed the protected path '" + path + "'.";
        String kept = moved.map(to -> " Its version is in '" + to + "'.").orElse("");
        Optional<Path> original = store.original(path);
        if (original.isEmpty()) {
            notices.add(what + kept + " It was too large to keep a copy of, so that it could not be put back.");
            return;
        }
        try (SafeTree parent = open(path)) {
            parent.copyIn(original.get(), path.getFileName());
            notices.add(what + kept + " The original was put back.");
        } catch (IOException fault) {
            notices.add(what + kept + " The original could not be put back (" + fault.getMessage()
                    + "); do so before using git " + "or an editor there.");
        }
    }

    /**
     * Protects a new repository: keeps its configuration, and its hooks only if git does not run
     * them.
     */
    void tidyNewRepository(Path path) {
        if (path.endsWith("hooks")) {
            executableHooks(path).forEach(this::quarantine);
        } else if (path.endsWith("config")) {
            List<String> programs = GitPrograms.in(path);
            if (!programs.isEmpty()) {
                notices.add("The new repository's configuration '" + path
                        + "' makes git run programs or read more configuration: " + String.join(", ", programs)
                        + ". Look at it before using git there.");
            }
        } else if (path.endsWith(".git") ? !leadsHome(path) : !isWorktreeRecord(path)) {
            quarantine(path);
        }
    }

    /**
     * Returns whether a new {@code .git} file or link points to a directory where git itself puts
     * submodules and worktrees.
     */
    private boolean leadsHome(Path pointer) {
        Path repository = parentOf(pointer);
        try {
            return GitLayout.of(repository)
                    .filter(layout -> layout.linked()
                            && layout.commonDirectory().startsWith(territory.apply(layout.commonDirectory())))
                    .filter(layout -> layout.commonDirectory().endsWith(".git")
                            || layout.commonDirectory().toString().contains("/.git/modules/"))
                    .isPresent();
        } catch (IllegalArgumentException astray) {
            return false;
        }
    }

    private static boolean isWorktreeRecord(Path path) {
        return parentOf(path).endsWith(".git/worktrees");
    }

    private static List<Path> executableHooks(Path hooks) {
        if (!Files.isDirectory(hooks, LinkOption.NOFOLLOW_LINKS)) {
            // A link or a file in place of the directory is moved as a whole.
            return List.of(hooks);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(hooks, Restoration::isLiveHook)) {
            return StreamSupport.stream(entries.spliterator(), false).sorted().toList();
        } catch (IOException unreadable) {
            return List.of(hooks);
        }
    }

    /**
     * Returns whether git would run a hook: git finds it by its name, and never runs a sample,
     * whatever its mode.
     */
    private static boolean isLiveHook(Path hook) {
        return !hook.getFileName().toString().endsWith(".sample")
                && (!Files.isRegularFile(hook, LinkOption.NOFOLLOW_LINKS) || Files.isExecutable(hook));
    }

    private Optional<Path> move(Path path) {
        try (SafeTree parent = open(path)) {
            Path target = store.quarantined(path);
            parent.moveOut(path.getFileName(), target);
            return Optional.of(target);
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException fault) {
            notices.add("The protected path '" + path + "' could not be moved to quarantine (" + fault.getMessage()
                    + "). Look at it before using git or an editor there.");
            return Optional.empty();
        }
    }

    private SafeTree open(Path path) throws IOException {
        return SafeTree.open(territory.apply(path), parentOf(path));
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("a protected path is never the root");
        }
        return parent;
    }
}
