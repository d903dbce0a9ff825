package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.DirectoryReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Lists the entries of git directories that a sandbox mounts read-only, or denies. Chooses them by name, which is
 * cheap; settlement judges every entry by its rules.
 */
final class ReadOnlyGitEntries {
    private ReadOnlyGitEntries() {}

    /**
     * Returns the files and directories, existing or not, each with its git directory.
     *
     * @param gitDirectory the worktree's own git directory
     * @param commonDirectory the directory that it shares with other worktrees; the same if it shares none
     */
    static Map<Path, Path> of(Path gitDirectory, Path commonDirectory) {
        Map<Path, Path> entries = new TreeMap<>();
        addConfiguration(commonDirectory, entries);
        addModules(commonDirectory, entries);
        for (Path other : directoriesIn(commonDirectory.resolve("worktrees"))) {
            entries.put(other, other);
        }
        if (!gitDirectory.equals(commonDirectory)) {
            entries.remove(gitDirectory);
            Stream.of("HEAD", "index").forEach(name -> entries.put(commonDirectory.resolve(name), commonDirectory));
            Stream.of("commondir", "gitdir", "config.worktree")
                    .forEach(name -> entries.put(gitDirectory.resolve(name), gitDirectory));
            addModules(gitDirectory, entries);
        }
        return entries;
    }

    private static void addConfiguration(Path gitDirectory, Map<Path, Path> entries) {
        Stream.of("hooks", "config", "config.worktree")
                .forEach(name -> entries.put(gitDirectory.resolve(name), gitDirectory));
    }

    private static void addModules(Path gitDirectory, Map<Path, Path> entries) {
        modules(gitDirectory.resolve("modules")).forEach(module -> addConfiguration(module, entries));
    }

    /** Returns submodules' git directories: their names may have slashes, and they may have nested submodules. */
    private static List<Path> modules(Path parent) {
        List<Path> found = new ArrayList<>();
        for (Path directory : directoriesIn(parent)) {
            if (Files.exists(directory.resolve("HEAD"))) {
                found.add(directory);
                found.addAll(modules(directory.resolve("modules")));
            } else {
                found.addAll(modules(directory));
            }
        }
        return found;
    }

    private static List<Path> directoriesIn(Path parent) {
        if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        List<Path> directories = new ArrayList<>();
        try {
            for (Path child : DirectoryReader.list(parent)) {
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    directories.add(child);
                }
            }
        } catch (IOException unreadable) {
            return List.of(); // settlement examines it
        }
        return directories;
    }
}
