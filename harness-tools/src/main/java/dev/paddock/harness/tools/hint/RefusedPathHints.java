package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Recognizes the path that a command was refused, and explains the refusal. */
final class RefusedPathHints {
    private static final Pattern REFUSED = Pattern.compile("(?i)read-only file system|permission denied"
            + "|device or resource busy|AccessDeniedException|\\b(?:EROFS|EACCES|EBUSY)\\b|isn't writable|is not writable"
            + "|fatal: repository '.*' does not exist|enoent: no such file or directory, mkdir '/usr/");

    /** An absolute path, one that leads upwards, or one of a name that begins with a dot. */
    private static final Pattern PATH = Pattern.compile(
            "(?:^|[\\s'\"\u2018\u201c(=])" + "((?:/(?!/)|\\.\\./|\\.[A-Za-z])[^\\s'\"\u2019\u201d:,)]*)");

    /** The path of the program that prints the message, such as a shell or a linker: not the refused path. */
    private static final Pattern PROGRAM =
            Pattern.compile("^/[^\\s:]+: (?!(?i:permission denied|read-only file system|device or resource busy))");

    private final SandboxFacts facts;
    private final Path worktree;

    RefusedPathHints(SandboxFacts facts) {
        this.facts = facts;
        this.worktree = Path.of(facts.policy().worktree().commandPath());
    }

    /** Returns the hint for the end of a failed command's output; empty if nothing is recognized. */
    Optional<String> after(String output) {
        return output.lines()
                .filter(line -> REFUSED.matcher(line).find())
                .flatMap(line -> lastPath(line).stream())
                .flatMap(path -> hint(path).stream())
                .findFirst();
    }

    private static Optional<String> lastPath(String line) {
        Matcher paths = PATH.matcher(PROGRAM.matcher(line).replaceFirst(""));
        return paths.results().reduce((first, second) -> second).map((MatchResult path) -> path.group(1));
    }

    private Optional<String> hint(String text) {
        Path path;
        try {
            path = worktree.resolve(text).normalize();
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
        if (path.startsWith(worktree)) {
            return protectedPath(worktree.relativize(path));
        }
        if (isBelow(path, "/proc", "/sys", "/dev") || isWritable(path)) {
            return Optional.empty();
        }
        if (path.endsWith(".npmrc") || path.endsWith(".yarnrc")) {
            return Optional.of(
                    "'" + text + "' may hold your credentials, so that commands do not see it, and Yarn 1 ends"
                            + " where it may not read one: yarn --no-default-rc, or bubblewrap (--executor bwrap), where it is"
                            + " absent.");
        }
        if (path.startsWith("/tmp") && !facts.guarantees().contains(Guarantee.PRIVATE_TMP)) {
            return Optional.of("commands have no /tmp in this sandbox; their temporary files go to $TMPDIR. bubblewrap"
                    + " (--executor bwrap) has a /tmp of its own.");
        }
        if (isBelow(path, "/usr", "/opt", "/var", "/etc") && !facts.seesHostPaths()) {
            return Optional.of("'" + text + "' is the image's: commands cannot change it. Use an image that has it, or"
                    + " install it into the worktree.");
        }
        if (isBelow(path, "/usr", "/opt")) {
            return Optional.of("'" + text + "' is the system's: commands cannot change it. Install it outside of the"
                    + " sandbox, or into the worktree.");
        }
        return Optional.of("'" + text + "' is outside of what is granted: commands write to the worktree, $HOME and"
                + " temporary files. Use a path in the worktree, or grant a directory with --mount DIR:DIR:rw.");
    }

    private Optional<String> protectedPath(Path path) {
        if (path.startsWith(".git/modules") && path.endsWith("config")) {
            return Optional.of(
                    "'" + path + "' is protected, since git on the host obeys it, and git writes it to check a"
                            + " submodule out for the first time, and with --recurse-submodules: do this outside of the sandbox;"
                            + " git submodule update then works here.");
        }
        boolean isGit = path.startsWith(".git");
        return facts.policy().protectedPaths().names().stream()
                .filter(path::startsWith)
                .findFirst()
                .map(name -> "'" + name + "' is protected, since " + (isGit ? "git" : "a program")
                        + " on the host obeys it: make this change outside of the sandbox"
                        + (name.endsWith("config") ? ", or set it for one command with git -c NAME=VALUE." : "."));
    }

    private boolean isWritable(Path path) {
        return facts.policy().mounts().stream()
                .filter(mount -> mount.access() == Mount.Access.READ_WRITE)
                .anyMatch(mount -> path.startsWith(mount.target()));
    }

    private static boolean isBelow(Path path, String... directories) {
        return Stream.of(directories).anyMatch(path::startsWith);
    }
}
