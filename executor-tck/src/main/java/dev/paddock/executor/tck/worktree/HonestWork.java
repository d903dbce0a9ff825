package dev.paddock.executor.tck.worktree;

import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Ordinary work in a worktree that a sandbox must not undo.
 *
 * @param name of the test
 * @param tools the programs that it needs
 * @param grants adds to the policy the permissions that it needs
 * @param preparation a script of the host's user, before the session
 * @param commands one after the other; each succeeds
 * @param check a script of the host's user, after the session; succeeds
 */
record HonestWork(
        String name,
        List<String> tools,
        UnaryOperator<SandboxPolicy.Builder> grants,
        String preparation,
        List<String> commands,
        String check) {
    private static final String NONE = ":";

    private static HonestWork git(String name, String preparation, List<String> commands, String check) {
        return new HonestWork(name, List.of("git"), UnaryOperator.identity(), preparation, commands, check);
    }

    static List<HonestWork> all() {
        List<HonestWork> all = new ArrayList<>(ofGit());
        all.add(gitLfs());
        all.add(gitLfsByStep());
        all.addAll(HonestBuilds.all());
        return all;
    }

    private static List<HonestWork> ofGit() {
        return List.of(
                git(
                        "clone, commit, push and pull",
                        "git clone -q --bare . remote.git",
                        List.of(
                                "git clone -q remote.git copy",
                                "cd copy && echo n > n && git add n && git commit -qm n && git checkout -q -b topic && git push -q origin topic",
                                "cd copy && git checkout -q main && git pull -q && git gc -q"),
                        "git -C copy log topic | grep n && git -C remote.git log topic && test -e copy/.git/hooks/pre-commit.sample"),
                git(
                        "commit, amend, merge and tag",
                        NONE,
                        List.of(
                                "echo c > c && git add c && git commit -qm c && git commit -q --amend -m d",
                                "git checkout -q -b topic && echo t > t && git add t && git commit -qm t && git checkout -q main",
                                "git merge -q --no-ff topic -m merged && git branch -d topic && git tag -a v1 -m v1 && git gc -q"),
                        "git log --oneline | grep merged && git tag | grep v1"),
                git(
                        "rebase and stash",
                        "git checkout -q other && echo o > o && git add o && git commit -qm o && git checkout -q main",
                        List.of(
                                "git rebase -q other",
                                "GIT_SEQUENCE_EDITOR=true git rebase -q -i HEAD~1",
                                "echo s > a && git stash -q && git stash pop -q && git stash -q && git stash drop -q"),
                        "git log --oneline | grep ' o$' && git status --porcelain -uno | wc -l | grep -x 0"),
                git(
                        "a conflict that is resolved in several commands",
                        "git checkout -q other && echo o > a && git commit -qam o && git checkout -q main",
                        List.of("! git rebase -q other", "echo both > a && git add a", "git rebase --continue"),
                        "grep both a && git status | grep -v rebas"),
                git(
                        "worktrees inside, one of them removed",
                        NONE,
                        List.of(
                                "git worktree add -q second",
                                "cd second && echo s > s && git add s && git commit -qm s",
                                "git worktree add -q third && git worktree remove third && git merge -q second && git worktree prune",
                                "cd inner && echo i > i && git add i && git commit -qm i && git gc -q"),
                        "test -e s && ! test -e third && git -C second status && git -C inner log --oneline | grep ' i$'"),
                git(
                        "repositories that a later command removes",
                        NONE,
                        List.of(
                                "git clone -q old copy && git worktree add -q second",
                                "cd copy && git checkout -q -b topic && cd ../second && git checkout -q -b later",
                                "rm -rf copy && git worktree remove second"),
                        "! test -e copy && ! test -e second && git worktree list"),
                git(
                        "merges that the user has git record",
                        "git config rerere.enabled true && git checkout -q other && echo o > a && git commit -qam o && git checkout -q main"
                                + " && echo m > a && git commit -qam m",
                        List.of(
                                "! git merge -q other",
                                "echo both > a && git add a && git commit -qm merged",
                                "git reset -q --hard HEAD~1 && ! git merge -q other && grep -x both a"),
                        "grep -x both a && git rerere status"),
                git(
                        "sparse, partial, shallow and mirror clones",
                        "git config uploadpack.allowFilter true",
                        List.of(
                                "git clone -q --sparse . sparse && git clone -q --mirror . mirror.git"
                                        + " && git clone -q --depth 1 file://$PWD shallow"
                                        + " && git clone -q --filter=blob:none --no-checkout file://$PWD partial",
                                "cd sparse && git sparse-checkout list && git status",
                                "git -C mirror.git remote update && git -C shallow fetch -q --unshallow",
                                "cd partial && git checkout -q main && git log -p"),
                        "git -C sparse sparse-checkout list && git -C mirror.git config remote.origin.mirror"
                                + " && git -C shallow fsck && git -C partial status"),
                git(
                        "repositories in a set-group-id directory",
                        NONE,
                        List.of(
                                "mkdir shared && chmod g+s shared && git init -q --shared shared/new && git clone -q old shared/copy",
                                "cd shared/new && echo n > n && git add n && git commit -qm n && git gc -q"),
                        "git -C shared/new log --oneline | grep n && git -C shared/copy log"),
                git(
                        "a submodule in a new repository",
                        NONE,
                        List.of(
                                "git init -q -b main fresh && cd fresh && git -c protocol.file.allow=always submodule --quiet add ../old deep/sub"
                                        + " && git commit -qm sub",
                                "cd fresh/deep/sub && git checkout -q -b t && echo t > t && git add t && git commit -qm t && git gc -q",
                                "cd fresh && git commit -qam moved"),
                        "git -C fresh submodule status && git -C fresh/deep/sub log --oneline | grep t && git -C fresh status"));
    }

    /** Git LFS with its filter in the user's configuration, as {@code git lfs install} leaves it. */
    private static HonestWork gitLfs() {
        String outside = "export GIT_CONFIG_GLOBAL=\"$PWD/../lfs-config\"; ";
        String inside = "export GIT_CONFIG_GLOBAL=\"$HOME/lfs-config\"; git lfs install --skip-repo; ";
        String file = " && git lfs track '*.bin' && head -c 1000 /dev/zero > x.bin && git add . && git commit -qm x";
        return new HonestWork(
                "Git LFS: clone, commit, push and pull",
                List.of("git-lfs"),
                UnaryOperator.identity(),
                outside
                        + "git lfs install --skip-repo && git init -q --bare -b main hub.git && git clone -q hub.git big"
                        + " && cd big && git checkout -q -B main" + file + " && git push -q -u origin main",
                List.of(
                        inside + "git clone -q hub.git copy && wc -c < copy/x.bin | grep -x 1000",
                        inside + "cd copy && head -c 2000 /dev/zero > y.bin && git add y.bin && git commit -qm y"
                                + " && git push -q origin main && git checkout -q -b topic && git checkout -q main",
                        inside + "cd big && git pull -q && wc -c < y.bin | grep -x 2000",
                        inside + "git init -q -b main fresh && cd fresh" + file),
                outside + "cmp copy/.git/hooks/pre-push big/.git/hooks/pre-push && git -C copy lfs fsck"
                        + " && git clone -q hub.git other && cmp other/y.bin copy/y.bin && rm -rf other"
                        + " && test -z \"$(git -C copy status --porcelain)$(git -C big status --porcelain)\""
                        + " && cd fresh && test -z \"$(git status --porcelain)\" && git lfs ls-files | grep x.bin");
    }

    /**
     * A repository whose hooks Git LFS writes in the command that creates it: in a later command they
     * would be moved, as in every existing repository.
     */
    private static HonestWork gitLfsByStep() {
        String outside = "export GIT_CONFIG_GLOBAL=\"$PWD/../lfs-config\"; ";
        String inside = "export GIT_CONFIG_GLOBAL=\"$HOME/lfs-config\"; ";
        String in = inside + "cd steps && ";
        return new HonestWork(
                "Git LFS, a command for each step",
                List.of("git-lfs"),
                UnaryOperator.identity(),
                outside + "git lfs install --skip-repo",
                List.of(
                        inside + "git lfs install --skip-repo",
                        inside + "git init -q -b main steps && cd steps && git lfs install",
                        in + "git lfs track '*.bin'",
                        in + "head -c 3000 /dev/zero > z.bin && git add .",
                        in + "git commit -qm z",
                        in + "git checkout -q -b topic && git rm -q z.bin && git commit -qm gone",
                        in + "git checkout -q main && wc -c < z.bin | grep -x 3000",
                        inside + "git clone -q steps again && wc -c < again/z.bin | grep -x 3000",
                        in + "git lfs untrack '*.bin' && git commit -qam untracked"),
                outside
                        + "cd steps && git lfs fsck && test -e .git/hooks/pre-push && git log --oneline | grep untracked"
                        + " && test -z \"$(git status --porcelain)\" && git -C ../again lfs ls-files | grep z.bin");
    }

    @Override
    public String toString() {
        return name;
    }
}
