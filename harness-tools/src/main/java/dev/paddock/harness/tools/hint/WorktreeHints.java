package dev.paddock.harness.tools.hint;

import dev.paddock.harness.files.content.HostFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Recognizes a command that needs a directory above the worktree, or the target of a link in it. */
final class WorktreeHints {
    private static final Pattern NO_REPOSITORY = Pattern.compile("not a git repository");

    /** The path of a linked worktree's part of the repository; git records the host path. */
    private static final Pattern NO_RECORD = Pattern.compile("not a git repository: (/\\S+)");

    /** The messages of Node, TypeScript, pnpm, Python, Cargo, shells and the C library. */
    private static final Pattern MISSING = Pattern.compile("Cannot find (?:module|package)|MODULE_NOT_FOUND"
            + "|No module named|ModuleNotFoundError|failed to find a workspace root|No such file or directory"
            + "|(?i:not found|permission denied)");

    /** Directories of installed packages, which users share between worktrees by a link. */
    private static final List<String> PACKAGES = List.of("node_modules", ".venv", "venv", "vendor", "target");

    /** Root files of several packages, and the text in them that says so. */
    private static final List<Root> ROOTS = List.of(
            new Root("pnpm-workspace.yaml", ""),
            new Root("package.json", "\"workspaces\""),
            new Root("Cargo.toml", "[workspace]"),
            new Root("settings.gradle", "include"),
            new Root("settings.gradle.kts", "include"));

    private static final int MAX_BYTES = 1 << 20;

    private record Root(String file, String text) {
        boolean isIn(Path directory) {
            Path path = directory.resolve(file);
            try {
                return Files.isRegularFile(path)
                        && (text.isEmpty()
                                || new String(HostFile.read(path, MAX_BYTES), StandardCharsets.UTF_8).contains(text));
            } catch (IOException unreadable) {
                return false; // then there is no hint
            }
        }
    }

    private final SandboxFacts facts;
    private final Path worktree;

    WorktreeHints(SandboxFacts facts) {
        this.facts = facts;
        this.worktree = facts.policy().worktree().hostPath();
    }

    /** Returns the hint for the end of a failed command's output; empty if nothing is recognized. */
    Optional<String> after(String output) {
        if (NO_REPOSITORY.matcher(output).find()) {
            return Files.exists(worktree.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
                    ? linked(output)
                    : above(directory -> Files.exists(directory.resolve(".git")), "the git repository");
        }
        if (!MISSING.matcher(output).find()) {
            return Optional.empty();
        }
        return link().or(() ->
                above(directory -> ROOTS.stream().anyMatch(root -> root.isIn(directory)), "the workspace of packages"));
    }

    private Optional<String> linked(String output) {
        Matcher record = NO_RECORD.matcher(output);
        return !facts.seesHostPaths() && record.find() && record.group(1).startsWith(worktree + "/")
                ? Optional.of("git recorded the host's path of a linked worktree, '" + record.group(1)
                        + "', and commands see the worktree at "
                        + facts.policy().worktree().commandPath()
                        + ". With --exec-cwd " + worktree + " they see it there.")
                : Optional.empty();
    }

    private Optional<String> above(Predicate<Path> test, String what) {
        return Stream.iterate(worktree.getParent(), directory -> directory != null, Path::getParent)
                .filter(test)
                .findFirst()
                .map(root -> "the worktree is a part of " + what + " in " + root + ", which commands do not see."
                        + " With --worktree " + root + " they do, and begin there: cd " + root.relativize(worktree)
                        + ".");
    }

    private Optional<String> link() {
        if (!facts.seesHostPaths()) {
            return Optional.empty();
        }
        for (String name : PACKAGES) {
            Path path = worktree.resolve(name);
            try {
                if (Files.isSymbolicLink(path) && !facts.shows(path.toRealPath())) {
                    Path target = path.toRealPath();
                    return Optional.of(name + " is a link to " + target + ", which this sandbox does not show; --mount "
                            + target + ":" + target + " does.");
                }
            } catch (IOException dangling) {
                return Optional.empty(); // it leads nowhere on the host either
            }
        }
        return Optional.empty();
    }
}
