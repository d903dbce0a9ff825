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

/** Moves away what a command has put on protected paths, and puts back what it has changed there. */
final class Restoration {
    private final UnaryOperator<Path> territory;
    private final GuardStore store;
    private final List<String> notices;

    /**
     * Makes a restoration.
     *
     * @param territory the directory above a path whose own path no command can change
     * @param store where copies and quarantine are
     * @param notices receives a sentence for each thing done
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

    /** What of a new repository is protected: its configuration may stay, its hooks only if git does not run them. */
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

    /** Whether a new {@code .git} file or link leads to where git itself puts submodules and worktrees. */
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
            // A link or a file in its place is moved as a whole.
            return List.of(hooks);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(hooks, Restoration::isLiveHook)) {
            return StreamSupport.stream(entries.spliterator(), false).sorted().toList();
        } catch (IOException unreadable) {
            return List.of(hooks);
        }
    }

    /** Git runs a hook by its name; a sample is not run whatever its mode. */
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
