package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Judges the files of an unfinished rebase, cherry-pick, bisection or {@code git am}: {@code --continue} would
 * obey them on the host.
 */
final class UnfinishedRules {
    private static final Set<String> OBEYED = Set.of(
            "rebase-merge/git-rebase-todo",
            "rebase-merge/git-rebase-todo.backup",
            "rebase-merge/strategy",
            "rebase-merge/strategy_opts",
            "rebase-merge/gpg_sign_opt",
            "rebase-apply/strategy",
            "rebase-apply/strategy_opts",
            "rebase-apply/gpg_sign_opt",
            "rebase-apply/apply-opt",
            "sequencer/todo",
            "sequencer/opts",
            "bisect_names");

    private static final Set<String> STEPS = Set.of(
            "pick",
            "p",
            "revert",
            "reword",
            "r",
            "edit",
            "e",
            "squash",
            "s",
            "fixup",
            "f",
            "drop",
            "d",
            "noop",
            "label",
            "l",
            "reset",
            "t",
            "merge",
            "m",
            "update-ref",
            "u");

    /** Git's own strategies. For every other name git runs a program git-merge-NAME. */
    private static final Set<String> STRATEGIES =
            Set.of("", "ort", "recursive", "resolve", "octopus", "ours", "subtree");

    private static final Set<String> SEQUENCER_OPTIONS = Set.of(
            "options.no-commit",
            "options.edit",
            "options.allow-empty",
            "options.allow-empty-message",
            "options.drop-redundant-commits",
            "options.keep-redundant-commits",
            "options.signoff",
            "options.record-origin",
            "options.allow-ff",
            "options.mainline",
            "options.allow-rerere-auto",
            "options.default-msg-cleanup");

    /** Possessive, since the file is a command's: the matcher would call itself for each word. */
    private static final Pattern QUOTED_WORDS = Pattern.compile("(?:\\s*+'[^']*+')*+\\s*+");

    private static final Pattern STASH = Pattern.compile("rebase-(merge|apply)/autostash");
    private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]+");

    private UnfinishedRules() {}

    /**
     * Returns whether the content of a file of this name can make git run programs or take options.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     */
    static boolean isObeyed(String relative) {
        return OBEYED.contains(NameSkeleton.ofBytes(relative));
    }

    /**
     * Judges an entry of such a directory, or the directory itself.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     */
    static Verdict judge(String relative, Path entry) {
        Optional<String> fault = fault(relative, entry);
        if (fault.isPresent()) {
            return new Verdict.Quarantined(fault.get());
        }
        if (STASH.matcher(NameSkeleton.ofBytes(relative)).matches()) {
            return new Verdict.Reported("git writes the files of that stash when the rebase ends");
        }
        return relative.contains("/")
                ? Verdict.allowed()
                : new Verdict.Reported("a rebase, cherry-pick or bisection is unfinished");
    }

    /**
     * Returns why a file may not stay.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     * @param file the file
     * @return empty if git runs no program and takes no option because of it
     */
    private static Optional<String> fault(String relative, Path file) {
        return switch (NameSkeleton.ofBytes(relative)) {
            case "rebase-merge/git-rebase-todo", "rebase-merge/git-rebase-todo.backup", "sequencer/todo" ->
                unless(file, UnfinishedRules::hasKnownSteps, "it has steps that run programs or leave the list");
            case "rebase-merge/strategy", "rebase-apply/strategy" ->
                unless(file, name -> STRATEGIES.contains(name.strip()), "git runs the program that it names");
            case "rebase-merge/strategy_opts", "rebase-apply/strategy_opts", "rebase-apply/apply-opt" ->
                unless(file, String::isBlank, "git takes options from it");
            case "rebase-merge/gpg_sign_opt", "rebase-apply/gpg_sign_opt" ->
                unless(
                        file,
                        option -> option.isBlank() || option.strip().equals("-S"),
                        "git signs with the key that it names");
            case "sequencer/opts" -> unless(file, UnfinishedRules::hasKnownOptions, "git takes options from it");
            case "bisect_names" ->
                unless(
                        file,
                        names -> QUOTED_WORDS.matcher(names).matches(),
                        "older versions of git pass it to a shell, and it has more than quoted names");
            default -> Optional.empty();
        };
    }

    private static Optional<String> unless(Path file, Predicate<String> harmless, String reason) {
        Optional<String> content = SmallFile.read(file);
        if (content.isEmpty()) {
            return Optional.of("it cannot be read");
        }
        return content.filter(harmless).isPresent() ? Optional.empty() : Optional.of(reason);
    }

    private static boolean hasKnownSteps(String list) {
        return list.lines().map(String::strip).allMatch(UnfinishedRules::isKnownStep);
    }

    private static boolean isKnownStep(String line) {
        return line.isEmpty() || line.startsWith("#") || STEPS.contains(SPACE.split(line, 2)[0]);
    }

    private static boolean hasKnownOptions(String content) {
        return GitConfiguration.parse(content)
                .filter(options ->
                        options.settings().stream().allMatch(option -> SEQUENCER_OPTIONS.contains(option.name())))
                .isPresent();
    }
}
