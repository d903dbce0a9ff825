package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Judges the files of an unfinished rebase, cherry-pick, bisection or {@code git am}: {@code --continue} would obey
 * them on the host.
 */
final class UnfinishedRules {
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

    /** The files of git and of its replacements there, by the skeletons of the names. */
    private static final Pattern KNOWN = Pattern.compile(
            "rebase-merge(/(git-rebase-todo(\\.backup)?|done|dropped|msgnum|end|message(-squash|-fixup)?|current-fixups"
                    + "|author-script|amend|stopped-sha|rewritten-(list|pending)|rewritten|(dropped|rewritten)/[0-9a-f]+"
                    + "|squash-onto|refs-to-delete|update-refs|gpg_sign_opt|cdate_is_adate|ignore_date|orig-head|head"
                    + "|head-name|onto|onto_name|verbose|quiet|signoff|autostash|strategy|strategy_opts"
                    + "|allow_rerere_autoupdate|(no-)?reschedule-failed-exec|(drop|keep)_redundant_commits|interactive"
                    + "|patch|current|current-commit|cmt\\.[0-9]+))?"
                    + "|rebase-apply(/([0-9]{4,}|next|last|threeway|quiet|sign|utf8|rerere-autoupdate|keep|messageid"
                    + "|scissors|quoted-cr|apply-opt|rebasing|applying|abort-safety|info|msg|msg-clean|patch"
                    + "|author-script|final-commit|original-commit|dirtyindex|rewritten|patch-merge-index|head-name|onto"
                    + "|orig-head|autostash|verbose|signoff|strategy|strategy_opts|gpg_sign_opt"
                    + "|allow_rerere_autoupdate))?"
                    + "|sequencer(/(todo|opts|head|abort-safety))?"
                    + "|bisect_(start|log|names|terms|expected_rev|ancestors_ok|first_parent|head|run)");

    private static final Pattern STASH = Pattern.compile("rebase-(merge|apply)/autostash");
    private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]+");

    /**
     * The permitted content of a file.
     *
     * @param otherwise why another content may not stay
     */
    private record Rule(Predicate<String> harmless, String otherwise) {}

    private static final Rule TODO =
            new Rule(UnfinishedRules::hasKnownSteps, "it has steps that run programs or leave the list");
    private static final Rule STRATEGY =
            new Rule(name -> STRATEGIES.contains(name.strip()), "git runs the program that it names");
    private static final Rule OPTIONS = new Rule(String::isBlank, "git takes options from it");
    private static final Rule SIGNING =
            new Rule(option -> option.isBlank() || option.strip().equals("-S"), "git signs with the key that it names");

    /** The files whose content can make git run programs or take options, by the skeletons of their names. */
    private static final Map<String, Rule> OBEYED = Map.ofEntries(
            Map.entry("rebase-merge/git-rebase-todo", TODO),
            Map.entry("rebase-merge/git-rebase-todo.backup", TODO),
            Map.entry("rebase-merge/strategy", STRATEGY),
            Map.entry("rebase-merge/strategy_opts", OPTIONS),
            Map.entry("rebase-merge/gpg_sign_opt", SIGNING),
            Map.entry("rebase-apply/strategy", STRATEGY),
            Map.entry("rebase-apply/strategy_opts", OPTIONS),
            Map.entry("rebase-apply/gpg_sign_opt", SIGNING),
            Map.entry("rebase-apply/apply-opt", OPTIONS),
            Map.entry("sequencer/todo", TODO),
            Map.entry("sequencer/opts", new Rule(UnfinishedRules::hasKnownOptions, "git takes options from it")),
            Map.entry(
                    "bisect_names",
                    new Rule(
                            names -> QUOTED_WORDS.matcher(names).matches(),
                            "older versions of git pass it to a shell, and it has more than quoted names")));

    private UnfinishedRules() {}

    /**
     * Returns whether the content of a file of this name can make git run programs or take options.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     */
    static boolean isObeyed(String relative) {
        return OBEYED.containsKey(NameSkeleton.ofBytes(relative));
    }

    /** Judges an entry of such a directory, or the directory itself. */
    static Verdict judge(String relative, Path entry) {
        String name = NameSkeleton.ofBytes(relative);
        if (!KNOWN.matcher(name).matches() || !NameSkeleton.isAscii(relative)) {
            return new Verdict.Quarantined("git does not create it by itself, and may take options from it");
        }
        Optional<String> fault = Optional.ofNullable(OBEYED.get(name)).flatMap(rule -> fault(rule, entry));
        if (fault.isPresent()) {
            return new Verdict.Quarantined(fault.get());
        }
        if (STASH.matcher(name).matches()) {
            return new Verdict.Reported("git writes the files of that stash when the rebase ends");
        }
        return relative.contains("/")
                ? Verdict.allowed()
                : new Verdict.Reported("a rebase, cherry-pick or bisection is unfinished");
    }

    private static Optional<String> fault(Rule rule, Path file) {
        Optional<String> content = SmallFile.read(file);
        if (content.isEmpty()) {
            return Optional.of("it cannot be read");
        }
        return content.filter(rule.harmless()).isPresent() ? Optional.empty() : Optional.of(rule.otherwise());
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
