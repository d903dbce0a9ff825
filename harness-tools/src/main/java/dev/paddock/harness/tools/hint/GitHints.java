package dev.paddock.harness.tools.hint;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.content.HostFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Explains why git cannot find or write a repository of which the sandbox shows only a part. Commands can write the
 * files that this class reads, so it names only directories that have git's layout.
 */
final class GitHints {
    private static final Pattern NO_REPOSITORY = Pattern.compile("fatal: not a git repository");

    private static final Pattern NO_OBJECTS = Pattern.compile(
            "unable to normalize alternate object path|unable to open object pack directory|fatal: bad object"
                    + "|fatal: failed to read object");

    private static final Pattern READ_ONLY = Pattern.compile("Unable to create '.*': Read-only file system");

    /** The line that git prints for a commit: {@code [main 1a2b3c4] message}. */
    private static final Pattern COMMITTED = Pattern.compile("(?m)^\\[[^\\]\\n]{1,256} [0-9a-f]{7,64}\\] ");

    /** A file that names alternates has a line for each; git follows at most five in a chain. */
    private static final int MAX_BYTES = 8_192;

    private GitHints() {}

    /**
     * Returns the hint for a failed command.
     *
     * @param worktree its real path on the host
     * @param output the end of its output
     */
    static Optional<String> after(Path worktree, String output) {
        try {
            Path git = worktree.resolve(".git");
            if (Files.isSymbolicLink(git)) {
                boolean isConcerned = NO_REPOSITORY.matcher(output).find()
                        || READ_ONLY.matcher(output).find();
                return isConcerned ? link(worktree, git.toRealPath()) : Optional.empty();
            }
            if (NO_OBJECTS.matcher(output).find()) {
                return borrowed(git);
            }
            return Files.notExists(git) && NO_REPOSITORY.matcher(output).find() ? part(worktree) : Optional.empty();
        } catch (IOException | InvalidPathException unreadable) {
            return Optional.empty(); // git's own message suffices
        }
    }

    /**
     * Returns the hint for a command that made commits although the user's git settings sign commits: then the name of
     * the granted settings file ends with {@code .unsigned.gitconfig}.
     */
    static Optional<String> unsigned(SandboxPolicy policy, String output) {
        String settings = policy.environment().variables().getOrDefault("GIT_CONFIG_SYSTEM", "");
        return settings.endsWith(".unsigned.gitconfig")
                        && COMMITTED.matcher(output).find()
                ? Optional.of(
                        "the user's git settings sign commits, and those of commands are not signed, since keys stay"
                                + " outside. The user can sign the last one: git commit --amend --no-edit -S")
                : Optional.empty();
    }

    private static Optional<String> link(Path worktree, Path target) {
        if (!isGitDirectory(target) || !isPlain(target)) {
            return Optional.empty();
        }
        String cure = target.startsWith(worktree)
                ? "mv '" + target + "' .git"
                : "echo 'gitdir: " + target + "' >.git && git config core.worktree \"$PWD\"";
        return Optional.of("'.git' is a symbolic link to '" + target
                + "', which this sandbox does not follow. The user can replace the link: rm .git && " + cure);
    }

    private static Optional<String> borrowed(Path git) throws IOException {
        byte[] named = HostFile.read(git.resolve("objects/info/alternates"), MAX_BYTES);
        return new String(named, StandardCharsets.UTF_8)
                .lines()
                .map(Path::of)
                .filter(Path::isAbsolute)
                .filter(objects ->
                        objects.endsWith("objects") && isGitDirectory(objects.resolveSibling("")) && isPlain(objects))
                .findFirst()
                .map(objects -> "the repository borrows objects from '" + objects
                        + "', which this sandbox does not show. The user can show them with --mount " + objects + ":"
                        + objects
                        + ", or copy them: git repack -a -d && rm .git/objects/info/alternates");
    }

    private static Optional<String> part(Path worktree) {
        String home = System.getProperty("user.home", "/");
        Predicate<Path> isProject = directory -> !Path.of(home).startsWith(directory);
        for (Path above = worktree.getParent(); above != null && isProject.test(above); above = above.getParent()) {
            if (Files.exists(above.resolve(".git"))) {
                return isPlain(above)
                        ? Optional.of("the worktree is a part of the repository '" + above
                                + "', and commands do not see the rest. The user can give all of it with --worktree "
                                + above + "; commands then begin there: cd " + above.relativize(worktree) + ".")
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean isGitDirectory(Path directory) {
        return Files.isRegularFile(directory.resolve("HEAD"))
                && Files.isDirectory(directory.resolve("objects"))
                && Files.isDirectory(directory.resolve("refs"));
    }

    /** Returns whether a shell takes a path literally. */
    private static boolean isPlain(Path path) {
        return path.toString()
                .chars()
                .allMatch(letter -> Character.isLetterOrDigit(letter) || "/._-+@".indexOf(letter) >= 0);
    }
}
