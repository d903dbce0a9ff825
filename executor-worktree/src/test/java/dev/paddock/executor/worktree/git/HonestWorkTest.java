package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays ordinary work with the real git, in an existing and in new repositories: the rules undo
 * nothing but the settings that they list.
 */
@Tag("full")
class HonestWorkTest {
    @TempDir
    static Path temporary;

    private static Path directory;
    private static Path root;

    @BeforeAll
    static void createRepositories() throws Exception {
        directory = Files.createDirectory(temporary.toRealPath().resolve("work"));
        root = directory.resolve("root");
        shell(
                directory,
                "git init -q -b main origin && cd origin && git config receive.denyCurrentBranch ignore"
                        + " && git config uploadpack.allowFilter true && for n in 1 2 3 4; do echo $n > f; git add f;"
                        + " git commit -qm c$n; done; git branch other HEAD~1; git checkout -q other; echo o > o;"
                        + " git add o; git commit -qm o; git checkout -q main; cd .. && git clone -q origin root"
                        + " && cd root && git branch -q other origin/other && git clone -q . nested"
                        + " && git worktree add -q ../outer && git worktree add -q inner");
        shell(temporary, "cp -a work pristine");
    }

    @BeforeEach
    void restoreRepositories() throws Exception {
        shell(temporary, "rm -rf work && cp -a pristine work");
    }

    private List<String> undone(String script) throws Exception {
        return undone(root, script);
    }

    private static List<String> undone(Path root, String script) throws Exception {
        TreeReview review = TreeReview.before(root);
        shell(root, script);
        return review.undone();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo b > b; git add .; git commit -qm b; git commit -q --amend -m c; git reset -q --hard HEAD~1",
                "git checkout -q -b topic; echo t > t; git add t; git commit -qm t; git checkout -q main;"
                        + " git merge -q --no-ff topic -m merged; git branch -d topic; git tag -a v1 -m v1; git notes add -m n",
                "git rebase -q other; GIT_SEQUENCE_EDITOR=true git rebase -q -i HEAD~2; git rebase -q --abort || true",
                "echo s > f; git stash -q; git stash pop -q; git stash -q; git stash drop -q; git clean -fdq -e nested -e inner",
                "git bisect start HEAD HEAD~3; git bisect run sh -c 'test $(cat f) -lt 3'; git bisect reset",
                "git bisect start HEAD HEAD~3",
                "git gc -q; git repack -adq; git pack-refs --all; git prune; git commit-graph write; git fsck --lost-found;"
                        + " git reflog expire --all; git multi-pack-index write; git update-server-info; git gc -q --auto",
                "git fetch -q --all --prune --tags; git pull -q; git pull -q --rebase; git fetch -q origin other; git push -q",
                "git worktree add -q second; cd second; echo b > b; git add b; git commit -qm b; git stash list; git rebase -q other",
                "git worktree add -q second; git worktree lock second; git worktree unlock second; git worktree remove second;"
                        + " git worktree prune; git worktree remove --force inner",
                "cd inner; echo b > b; git add b; git commit -qm b; git checkout -q --detach; git bisect start; git bisect reset",
                "cd nested; echo b > b; git add b; git commit -qm b; git gc -q; git fetch -q",
                "rm -rf nested",
                "git cherry-pick other; git revert --no-edit HEAD; git format-patch -q -1 -o ..; git reset -q --hard HEAD~1; git am -q ../*.patch",
                "git cherry-pick -n other; echo x > o; git cherry-pick other || true",
                "git checkout -q other; echo y > f; git commit -qam y; git merge main || true",
                "git checkout -q other; echo y > f; git commit -qam y; git rebase main || true",
                "git checkout -q other; echo y > f; git commit -qam y; echo z > f; git commit -qam z; git cherry-pick main~1 main || true",
                "git checkout -q --orphan new; git commit -qm new; git switch -q main; git update-index --assume-unchanged f",
                "git replace HEAD HEAD~1; git archive HEAD > a.tar; git bundle create -q b.bundle --all; git maintenance run --quiet",
                "mkdir -p .git/lfs/objects/ab/cd .git/lfs/tmp .git/lfs/cache/locks; echo x > .git/lfs/objects/ab/cd/abcd",
                "git -c user.name=x commit -q --allow-empty -m x; git update-index --index-version 4; git update-index --split-index",
                "git mv f g; git commit -qm moved; git rm -q g; git commit -qm removed; git restore --source HEAD~1 g",
                "git notes add -m n; git notes --ref=o add -m o; git notes merge o || true; git notes merge --abort;"
                        + " git notes merge o || true",
                "git merge -q --squash other; git branch --edit-description main || true; echo q >> f; GIT_EDITOR=true git add -e",
                "echo x > g; git add g; echo y > f; git merge -q --autostash other || true; git stash list",
                "printf 'feature relative-marks\\nfeature export-marks=m\\nblob\\nmark :1\\ndata 1\\nx\\n' | git fast-import --quiet --allow-unsafe-features",
                "echo nonsense | git fast-import --quiet || true; git update-server-info; git maintenance run --quiet --task=commit-graph"
                        + " --task=loose-objects --task=incremental-repack --task=pack-refs || true",
                "printf 'e\\n' | GIT_EDITOR=true git -c interactive.singleKey=false checkout -p HEAD~1 -- f || true",
                "git init -q new; cd new; echo a > a; git add a; git commit -qm a; git gc -q; git worktree add -q ../more",
                "git init -q --shared new; cd new; echo a > a; git add a; git commit -qm a; git checkout -q -b x; git gc -q",
                "mkdir shared; chmod g+s shared; git init -q shared/new; git clone -q . shared/copy; git -C shared/copy gc -q",
                "git init -q --bare -b main new.git; git push -q ./new.git main; git clone -q new.git copy; git -C copy push -q origin main:x",
                "git init -q --object-format=sha256 new; cd new; echo a > a; git add a; git commit -qm a",
                "git init -q --separate-git-dir=gd new; cd new; echo a > a; git add a; git commit -qm a",
                "git clone -q ../origin copy; cd copy; git checkout -q -b t origin/other; git push -q -u origin t; git pull -q --rebase;"
                        + " git remote add up ../nested; git fetch -q up; git branch -m t u; git config user.email a@b",
                "git clone -q --bare ../origin copy.git; git clone -q --shared . copy; git clone -q --reference . ../origin ref",
                "git clone -q --depth 1 file://$PWD/../origin copy; git -C copy fetch -q --unshallow",
                "git clone -q --filter=blob:none file://$PWD/../origin copy; git -C copy log -p",
                "git clone -q --sparse ../origin copy; cd copy; git sparse-checkout add x; git sparse-checkout list",
                "git clone -q --filter=blob:none --no-checkout --sparse file://$PWD/../origin copy; cd copy;"
                        + " git sparse-checkout set --sparse-index x; git checkout -q main; git worktree add -q ../more",
                "git clone -q --mirror ../origin copy.git; git -C copy.git remote update; git -C copy.git gc -q",
                "git clone -q -c feature.manyFiles=true ../origin copy; cd copy; git status; echo a > a; git add a; git status",
                "git -c feature.manyFiles=true status; git update-index --index-version 4 --untracked-cache --fsmonitor; git status",
                "git clone -q -b other --single-branch ../origin copy; cd copy; git sparse-checkout list || true",
                "git init -q new; cd new; git -c protocol.file.allow=always submodule --quiet add ../../origin deep/sub;"
                        + " git commit -qm sub; cd deep/sub; git checkout -q -b t; git commit -q --allow-empty -m t; git gc -q",
                "git init -q new; cd new; git -c protocol.file.allow=always submodule --quiet add ../../origin sub; git commit -qm s;"
                        + " cd ..; git -c protocol.file.allow=always clone -q --recurse-submodules new copy;"
                        + " cd copy; git submodule --quiet deinit -f sub; git -c protocol.file.allow=always submodule --quiet update --init",
            })
    void ordinaryWorkIsNotUndone(String script) throws Exception {
        assertThat(undone(script)).isEmpty();
    }

    @Test
    void settingsOfExistingRepositoriesAreRestored() throws Exception {
        assertThat(undone("git remote add up ../nested")).containsExactly(".git/config Restored");
        assertThat(undone("git push -q -u origin main:y; git branch -m other another"))
                .containsExactly(".git/config Restored");
        assertThat(undone("git -c protocol.file.allow=always submodule --quiet add ../origin sub"))
                .containsExactly(".git/config Restored");
    }

    @Test
    void mergesAreRecordedAsUserHasConfigured() throws Exception {
        shell(root, "git config rerere.enabled true");

        assertThat(
                        undone(
                                "git checkout -q other; echo y > f; git commit -qam y; git merge main || true; echo r > f; git add f"))
                .isEmpty();
        assertThat(undone("git commit -qm r; git reset -q --hard HEAD~1; git merge main || true; git rerere status"))
                .isEmpty();
    }

    @Test
    void settingsOfLinkedWorktreeStayInNewOne() throws Exception {
        shell(root, "git config extensions.worktreeConfig true && git config --worktree core.sparseCheckout false");

        assertThat(undone("git worktree add -q second")).isEmpty();
        assertThat(undone("git worktree add -q third; git -C third config --worktree remote.origin.pushurl /elsewhere"))
                .as("no other address than the user's")
                .containsExactly(".git/worktrees/third/config.worktree Replaced");
    }

    @Test
    void operationsThatRulesListAreUndone() throws Exception {
        assertThat(undone("git sparse-checkout set x"))
                .containsExactly(".git/config Restored", ".git/config.worktree Quarantined");
        assertThat(
                        undone(
                                "git checkout -q other; echo y > f; git commit -qam y; git -c rerere.enabled=true merge main || true"))
                .containsExactly(".git/rr-cache Quarantined");
        assertThat(undone("cd nested; git config core.hooksPath x; echo x > .git/hooks/pre-commit"))
                .containsExactly("nested/.git/config Restored", "nested/.git/hooks/pre-commit Quarantined");
        assertThat(undone("cd ../outer; echo x > f; git add f")).containsExactly(".git/worktrees/outer/index Restored");
    }

    @Test
    void unfinishedRebaseWithProgramIsUndone() throws Exception {
        assertThat(undone(
                        "git checkout -q other; echo y > f; git commit -qam y; git rebase -x 'echo evil' main || true"))
                .contains(".git/rebase-merge/git-rebase-todo Quarantined");
    }

    @Test
    void plantedRepositoriesAreUndone() throws Exception {
        assertThat(undone("mkdir x y z; echo 'gitdir: ../nested/.git' > x/.git; ln -s ../.git y/.git;"
                        + " echo 'gitdir: /tmp' > z/.git"))
                .containsExactly("x/.git Quarantined", "y/.git Quarantined", "z/.git Quarantined");
        shell(root, "rm -rf x y z");
        assertThat(undone("cp -r nested/.git/HEAD nested/.git/objects nested/.git/refs nested/.git/config ."))
                .contains("HEAD Quarantined");
        shell(root, "rm -rf HEAD objects refs config");
        assertThat(undone("mkdir src; cd src; echo 'ref: refs/heads/main' > HEAD; echo ../.git > commondir"))
                .containsExactly("src/commondir Quarantined");
    }

    @Test
    void workInLinkedWorktreeIsNotUndone() throws Exception {
        Path outer = directory.resolve("outer");
        TreeReview review = TreeReview.before(outer, root.resolve(".git"));
        shell(
                outer,
                "echo b > b; git add b; git commit -qm b; git stash list; git gc -q; git fetch -q; git rebase -q other");
        assertThat(review.undone()).isEmpty();

        TreeReview second = TreeReview.before(outer, root.resolve(".git"));
        shell(outer, "git --git-dir=" + root + "/.git --work-tree=" + root + " checkout -q other");
        assertThat(second.undone()).contains(".git/HEAD Restored", ".git/index Restored");
        assertThat(Files.exists(outer)).isTrue();
    }
}
