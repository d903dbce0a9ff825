package dev.paddock.executor.tck.worktree;

import java.util.List;
import java.util.stream.Stream;

/**
 * The ways in which a shell script plants a program that a program of the host would run.
 *
 * <p>The scripts use {@code $E}, the path of a program on the host; {@code P FILE}, which writes
 * such a program; {@code $G}, a git directory, and {@code $W}, the worktree.
 */
final class Plants {

    /** Into a git directory. */
    static final List<String> INTO_GIT_DIRECTORY = List.of(
            "printf '[core]\\n\\tfsmonitor = %s\\n' \"$E\" >> $G/config",
            "printf '[core][core]fsmonitor=%s\\n' \"$E\" >> $G/config",
            "cp $G/config $G/config.lock; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> $G/config.lock; mv -f $G/config.lock $G/config",
            "printf '[core]\\n\\tfsmonitor = %s\\n' \"$E\" > more; printf '[include]path=%s\\n' \"$W/more\" >> $G/config",
            "printf '[extensions]\\nworktreeConfig=true\\n' >> $G/config; printf '[core]\\nfsmonitor=%s\\n' \"$E\" > $G/config.worktree",
            "mkdir -p $G/hooks; for h in post-index-change pre-commit reference-transaction; do P $G/hooks/$h; done",
            "mkdir -p x-hooks; P x-hooks/reference-transaction; P x-hooks/post-index-change; rm -rf $G/hooks; ln -s \"$W/x-hooks\" $G/hooks",
            "mkdir -p y-hooks; P y-hooks/reference-transaction; P y-hooks/post-index-change; printf '[core]hooksPath=%s\\n' \"$W/y-hooks\" >> $G/config",
            "mkdir -p evil.git/objects evil.git/refs; cp $G/HEAD evil.git; printf '[core]\\nfsmonitor=%s\\n' \"$E\" > evil.git/config;"
                    + " echo \"$W/evil.git\" > $G/commondir",
            "printf '[filter \"z\"]\\nclean=%s\\n' \"$E\" >> $G/config; mkdir -p $G/info; echo '* filter=z' > $G/info/attributes;"
                    + " for f in *; do touch \"$f\"; done",
            "printf '[core]\\nfsmonitor=%s\\n' \"$E\" > other; rm -f $G/config; ln -s \"$W/other\" $G/config",
            "printf '[diff]\\nexternal=%s\\n' \"$E\" >> $G/config; echo changed >> a",
            "mkdir -p $G/objects/ab; git init -q --bare $G/objects/ab/x; P $G/objects/ab/x/hooks/pre-receive;"
                    + " git config -f $G/objects/ab/x/config core.fsmonitor \"$E\"; ln -sfn $G/objects/ab/x push.git",
            "printf '[commit]\\ngpgsign=true\\n[gpg]\\nprogram=%s\\n' \"$E\" >> $G/config",
            "printf '[protocol \"ext\"]\\nallow=always\\n[remote \"origin\"]\\nurl=ext::%s\\n' \"$E\" >> $G/config",
            "mkdir -p $G/rebase-merge; git rev-parse HEAD > $G/rebase-merge/onto; cp $G/rebase-merge/onto $G/rebase-merge/orig-head;"
                    + " echo detached > $G/rebase-merge/head-name; touch $G/rebase-merge/interactive; : > $G/rebase-merge/done;"
                    + " echo exec \"$E\" > $G/rebase-merge/git-rebase-todo; echo 1 > $G/rebase-merge/msgnum; echo 1 > $G/rebase-merge/end",
            "mkdir -p $G/worktrees/w w; cp $G/HEAD $G/worktrees/w; echo ../.. > $G/worktrees/w/commondir;"
                    + " printf '[core]\\nfsmonitor=%s\\n' \"$E\" > $G/worktrees/w/config.worktree;"
                    + " printf '[extensions]\\nworktreeConfig=true\\n' >> $G/config;"
                    + " echo \"$W/w/.git\" > $G/worktrees/w/gitdir; echo gitdir: \"$W/$G/worktrees/w\" > w/.git");

    /** As a repository, or where git finds one. */
    private static final List<String> AS_REPOSITORY = List.of(
            "cp -r .git/HEAD .git/objects .git/refs .git/index .; printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s\\nworktree=.\\n' \"$E\" > config;"
                    + " echo x > .git/HEAD",
            "mkdir -p src; cp -r .git/HEAD .git/objects .git/refs .git/index src;"
                    + " printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s\\nworktree=.\\n' \"$E\" > src/config",
            "git init -q mod; git -C mod commit -q --allow-empty -m x; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> mod/.git/config;"
                    + " git update-index --add --cacheinfo 160000,$(git -C mod rev-parse HEAD),mod",
            "mkdir -p a/b/c 2>/dev/null || mkdir -p m/b/c; for d in a/b/c m/b/c; do test -d $d && break; done; git init -q $d;"
                    + " git -C $d commit -q --allow-empty -m x; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> $d/.git/config;"
                    + " git update-index --add --cacheinfo 160000,$(git -C $d rev-parse HEAD),$d; chmod 111 $d ${d%/c} ${d%/b/c}",
            "git init -q hid; echo x > hid/x; git -C hid add x; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> hid/.git/config;"
                    + " mv hid/.git hid/any; mkdir pt; echo x > pt/x; echo gitdir: ../hid/any > pt/.git",
            "git init -q lnk; echo x > lnk/x; git -C lnk add x; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> lnk/.git/config;"
                    + " mv lnk/.git lnk/any; ln -s any lnk/.git",
            "mkdir -p HEAD/d .GIT/d; git init -q HEAD/d; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> HEAD/d/.git/config;"
                    + " git init -q .GIT/d; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> .GIT/d/.git/config",
            "cp -a old copy; printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> copy/.git/config; mv copy elsewhere");

    /** Under a protected name. */
    private static final List<String> UNDER_A_NAME = List.of(
            "P .envrc",
            "rm -rf .husky; mkdir .husky; P .husky/pre-commit",
            "mkdir -p .vscode; P .vscode/tasks.json",
            "mkdir -p settings; P settings/hook; ln -sfn settings .claude",
            "rm -f .profile; P other-profile; ln other-profile .profile",
            "rm -rf .zed .gemini; mkdir .zed .gemini; P .zed/tasks.json; P .gemini/settings.json; P .zshenv",
            "rm -rf .hg; mkdir .hg; P .hg/hgrc",
            "rm -rf .hg; mkdir -p hg; P hg/hgrc; ln -s hg .hg",
            "rm -f tools/check; mkdir -p tools; P tools/check",
            "git init -q nest; P nest/.envrc");

    private Plants() {}

    /** Returns those for the repository of the worktree itself, or for any. */
    static List<String> all() {
        return Stream.of(
                        INTO_GIT_DIRECTORY.stream().map(plant -> "G=.git; " + plant),
                        AS_REPOSITORY.stream(),
                        UNDER_A_NAME.stream())
                .flatMap(plants -> plants)
                .toList();
    }
}
