package dev.paddock.executor.config.grant;

import dev.paddock.executor.worktree.git.config.Setting;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which git settings of the user apply to commands: those about git's behavior and
 * output. None names a program, a file, an address or a key.
 */
final class GitSettingRules {
    private static final Set<String> PASSED =
            Set.of(("user.name user.email user.useconfigonly gpg.format i18n.commitencoding i18n.logoutputencoding"
                            + " core.autocrlf core.eol core.safecrlf core.whitespace core.quotepath core.abbrev"
                            + " core.commentchar core.commentstring core.precomposeunicode"
                            + " init.defaultbranch clone.defaultremotename checkout.defaultremote checkout.guess"
                            + " pull.rebase pull.ff push.default push.autosetupremote push.followtags"
                            + " fetch.prune fetch.prunetags branch.autosetupmerge branch.autosetuprebase branch.sort"
                            + " tag.sort versionsort.suffix commit.cleanup commit.verbose"
                            + " merge.conflictstyle merge.ff merge.log merge.renames merge.directoryrenames"
                            + " merge.autostash rebase.autosquash rebase.autostash rebase.updaterefs"
                            + " rebase.missingcommitscheck rebase.abbreviatecommands rerere.enabled rerere.autoupdate"
                            + " diff.algorithm diff.renames diff.renamelimit diff.mnemonicprefix diff.noprefix"
                            + " diff.context diff.interhunkcontext diff.colormoved diff.colormovedws"
                            + " diff.indentheuristic diff.submodule diff.wserrorhighlight"
                            + " log.date log.abbrevcommit log.decorate log.follow log.showroot"
                            + " status.short status.branch status.relativepaths status.showuntrackedfiles"
                            + " status.submodulesummary apply.whitespace grep.linenumber grep.patterntype"
                            + " blame.date color.ui column.ui")
                    .split(" ", -1));

    private static final Pattern FILTER = Pattern.compile("filter\\.\\*\\.(clean|smudge|process)");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");

    private GitSettingRules() {}

    /** Returns whether a setting is passed to commands unchanged. */
    static boolean isPassed(Setting setting) {
        return PASSED.contains(setting.name()) || setting.pattern().equals("filter.*.required") || isAdvice(setting);
    }

    private static boolean isAdvice(Setting setting) {
        return setting.section().equals("advice") && setting.subsection().isEmpty();
    }

    /** Returns whether a setting is a program that git runs on the content of files. */
    static boolean isFilter(Setting setting) {
        return FILTER.matcher(setting.pattern()).matches();
    }

    /**
     * Returns a failing filter instead of one that is not passed: without it, git would silently store the unfiltered
     * content.
     */
    static List<Setting> failing(String name) {
        String shown = PLAIN.matcher(name).matches() ? " '" + name + "'" : "";
        Optional<String> command =
                Optional.of("echo \"paddock: your filter" + shown + " does not run in the sandbox\" >&2; exit 1");
        String filter = "filter." + name + ".";
        return List.of(new Setting(filter + "clean", command), new Setting(filter + "smudge", command));
    }
}
