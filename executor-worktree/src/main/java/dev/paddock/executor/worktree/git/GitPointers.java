package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the files with which parts of a repository name each other, as git's setup.c does. */
public final class GitPointers {
    private static final String PREFIX = "gitdir: ";

    private static final List<String> NAMING_ONE_PATH = List.of("commondir", "gitdir");
    private static final List<String> CONFIGURATIONS = List.of("config", "config.worktree");

    /** Part of the name of a setting, which saves parsing most configurations. */
    private static final Pattern WORKTREE = Pattern.compile("worktree", Pattern.CASE_INSENSITIVE);

    /** The kernel's limit for a path. */
    private static final int MAX_PATH_LENGTH = 4095;

    /** The contents that git's {@code validate_headref} accepts; it ignores trailing text. */
    private static final Pattern HEAD = Pattern.compile("(?s)ref:[ \\t\\r\\n]*refs/.*|[0-9a-fA-F]{40}.*");

    private GitPointers() {}

    /** Returns the directory that a {@code .git} file names, as git resolves it. */
    static Optional<Path> gitFile(Path file) {
        return SmallFile.read(file).flatMap(content -> gitFile(file, content));
    }

    /**
     * Returns the directory that a {@code .git} file names, as git resolves it.
     *
     * @param content the file's, bytes as ISO 8859-1
     * @return an unresolved path; empty if the file names none
     */
    public static Optional<Path> gitFile(Path file, String content) {
        return content.startsWith(PREFIX)
                ? resolve(file.resolveSibling(""), line(content.substring(PREFIX.length())))
                : Optional.empty();
    }

    /**
     * Returns the paths that the files of a git directory name: {@code commondir}, {@code gitdir}, the alternates, and
     * the configuration by {@code core.worktree}.
     *
     * @param contents returns the content of a file of the git directory, bytes as ISO 8859-1; empty to omit it
     * @return unresolved paths
     */
    public static List<Path> namedIn(Path gitDirectory, Function<Path, Optional<String>> contents) {
        List<Path> named = new ArrayList<>();
        for (String file : NAMING_ONE_PATH) {
            contents.apply(gitDirectory.resolve(file))
                    .flatMap(content -> resolve(gitDirectory, line(content)))
                    .ifPresent(named::add);
        }
        for (String file : CONFIGURATIONS) {
            contents.apply(gitDirectory.resolve(file))
                    .filter(content -> WORKTREE.matcher(content).find())
                    .flatMap(GitConfiguration::parse)
                    .flatMap(configuration -> configuration.last("core.worktree"))
                    .flatMap(name -> resolve(gitDirectory, name))
                    .ifPresent(named::add);
        }
        Path objects = gitDirectory.resolve("objects");
        contents.apply(objects.resolve(AlternateStores.LIST))
                .ifPresent(content -> named.addAll(AlternateStores.namedIn(objects, content)));
        return named;
    }

    /** Returns the directory that {@code commondir} names; empty if it does not exist or is unusable. */
    static Optional<Path> commonDirectory(Path gitDirectory) {
        return SmallFile.read(gitDirectory.resolve("commondir")).flatMap(name -> resolve(gitDirectory, line(name)));
    }

    /** Returns the {@code .git} file that a linked worktree's record names. */
    static Optional<Path> recordedGitFile(Path gitDirectory) {
        return SmallFile.read(gitDirectory.resolve("gitdir")).flatMap(name -> resolve(gitDirectory, line(name)));
    }

    /** Returns the directory that {@code core.worktree} names. */
    static Optional<Path> recordedWorktree(Path gitDirectory) {
        return setting(gitDirectory, "core.worktree").flatMap(name -> resolve(gitDirectory, name));
    }

    /** Returns whether a repository has no worktree of its own: {@code core.worktree} makes git refuse it. */
    static boolean isBare(Path gitDirectory) {
        return setting(gitDirectory, "core.bare").filter("true"::equals).isPresent();
    }

    static Optional<String> setting(Path gitDirectory, String name) {
        return SmallFile.read(gitDirectory.resolve("config"))
                .flatMap(GitConfiguration::parse)
                .flatMap(configuration -> configuration.last(name));
    }

    /** Returns the path behind all links; empty if it does not exist. */
    static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    static Optional<Path> resolve(Path directory, String name) {
        return name.isEmpty() || name.length() > MAX_PATH_LENGTH
                ? Optional.empty()
                : PathBytes.path(name).map(directory::resolve);
    }

    /** Returns the content without the line feeds and carriage returns at its end. */
    private static String line(String content) {
        int end = content.length();
        while (end > 0 && (content.charAt(end - 1) == '\n' || content.charAt(end - 1) == '\r')) {
            end--;
        }
        return content.substring(0, end);
    }

    /**
     * Returns whether a directory is or may be a git directory: {@code HEAD} is valid or cannot be judged, and {@code
     * commondir}, or {@code objects} and {@code refs}, exist in any form.
     */
    static boolean isGitDirectory(Path directory) {
        return mayBeHead(directory.resolve("HEAD")) && hasParts(directory);
    }

    /** Returns whether a directory has the entries of a git directory, with any content. */
    static boolean hasLayout(Path directory) {
        return exists(directory.resolve("HEAD")) && hasParts(directory);
    }

    private static boolean hasParts(Path directory) {
        return exists(directory.resolve("commondir"))
                || (exists(directory.resolve("objects")) && exists(directory.resolve("refs")));
    }

    static boolean exists(Path path) {
        return !Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean mayBeHead(Path head) {
        return switch (EntryState.of(head).kind()) {
            case ABSENT, DIRECTORY -> false;
            case LINK, SPECIAL, UNREADABLE -> true;
            case FILE ->
                SmallFile.read(head)
                        .map(content -> HEAD.matcher(content).matches())
                        .orElse(true);
        };
    }
}
