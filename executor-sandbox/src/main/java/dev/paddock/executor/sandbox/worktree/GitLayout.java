package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the git directories of a worktree by reading its files: running git there would obey the
 * very configuration that is in question.
 *
 * @param gitDirectory the worktree's own git directory
 * @param commonDirectory the directory that it shares with other worktrees; the same if it shares
 *     none
 * @param linked whether both stand outside the worktree, behind a {@code .git} file
 */
record GitLayout(Path gitDirectory, Path commonDirectory, boolean linked) {
    private static final int LONGEST_POINTER = 8192;

    /**
     * Reads the layout of a worktree.
     *
     * @return empty if the directory is no git worktree
     * @throws IllegalArgumentException if a {@code .git} file points at a directory that does not
     *     point back: granting that would give a command access to any directory that the file
     *     names
     */
    static Optional<GitLayout> of(Path root) {
        Path dotGit = root.resolve(".git");
        if (Files.isDirectory(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(inside(root));
        }
        if (!Files.isRegularFile(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(behindPointer(root, dotGit));
        } catch (IOException | UncheckedIOException fault) {
            throw new IllegalArgumentException(
                    "the worktree's .git file leads nowhere: '" + dotGit + "' (" + fault.getMessage()
                            + "); mend it with 'git worktree repair'",
                    fault);
        }
    }

    /** Returns the layout of a repository that contains its git directory. */
    static GitLayout inside(Path repository) {
        Path dotGit = repository.resolve(".git");
        return new GitLayout(dotGit, dotGit, false);
    }

    /**
     * Returns the files and directories of the git directories that a command must not change,
     * whether they exist or not, each with the git directory that it belongs to.
     */
    Map<Path, Path> guarded() {
        Map<Path, Path> guarded = new TreeMap<>();
        addConfiguration(commonDirectory, guarded);
        addModules(commonDirectory, guarded);
        for (Path other : directoriesIn(commonDirectory.resolve("worktrees"))) {
            guarded.put(other, other);
        }
        if (linked && !gitDirectory.equals(commonDirectory)) {
            guarded.remove(gitDirectory);
            Stream.of("HEAD", "index").forEach(name -> guarded.put(commonDirectory.resolve(name), commonDirectory));
            Stream.of("commondir", "gitdir", "config.worktree")
                    .forEach(name -> guarded.put(gitDirectory.resolve(name), gitDirectory));
            addModules(gitDirectory, guarded);
        }
        return guarded;
    }

    private static void addConfiguration(Path gitDirectory, Map<Path, Path> guarded) {
        Stream.of("hooks", "config", "config.worktree")
                .forEach(name -> guarded.put(gitDirectory.resolve(name), gitDirectory));
    }

    private static void addModules(Path gitDirectory, Map<Path, Path> guarded) {
        modules(gitDirectory.resolve("modules")).forEach(module -> addConfiguration(module, guarded));
    }

    /**
     * Returns submodules' git directories: their names may have slashes, and they may have
     * submodules of their own.
     */
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
        try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
            for (Path child : children) {
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    directories.add(child);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            return List.of(); // settlement examines it
        }
        directories.sort(null);
        return directories;
    }

    private static GitLayout behindPointer(Path root, Path dotGit) throws IOException {
        String text = read(dotGit);
        if (!text.startsWith("gitdir:")) {
            throw new IOException("it does not start with 'gitdir:'");
        }
        Path gitDirectory =
                root.resolve(text.substring("gitdir:".length()).strip()).toRealPath();
        Path commonFile = gitDirectory.resolve("commondir");
        if (!Files.exists(commonFile)) {
            requireSubmodule(root, gitDirectory);
            return new GitLayout(gitDirectory, gitDirectory, true);
        }
        Path commonDirectory = gitDirectory.resolve(read(commonFile)).toRealPath();
        Path pointsBack = gitDirectory.resolve(read(gitDirectory.resolve("gitdir")));
        boolean mutual = Files.exists(pointsBack)
                && Files.isSameFile(pointsBack, dotGit)
                && gitDirectory.equals(commonDirectory.resolve("worktrees").resolve(gitDirectory.getFileName()));
        if (!mutual) {
            throw new IOException("it names '" + gitDirectory + "', which belongs to another worktree");
        }
        return new GitLayout(gitDirectory, commonDirectory, true);
    }

    private static void requireSubmodule(Path root, Path gitDirectory) throws IOException {
        Path config = gitDirectory.resolve("config");
        for (String line : Files.readAllLines(config)) {
            String[] setting = line.strip().split("\\s*=\\s*", 2);
            if (setting.length == 2
                    && setting[0].equalsIgnoreCase("worktree")
                    && Files.isSameFile(gitDirectory.resolve(setting[1]), root)) {
                return;
            }
        }
        throw new IOException("it names '" + gitDirectory + "', whose core.worktree is not this directory");
    }

    private static String read(Path pointer) throws IOException {
        if (Files.size(pointer) > LONGEST_POINTER) {
            throw new IOException("'" + pointer + "' is too long for a path");
        }
        try {
            return Files.readString(pointer, StandardCharsets.UTF_8).strip();
        } catch (MalformedInputException fault) {
            throw new IOException("'" + pointer + "' is not UTF-8", fault);
        }
    }
}
