package dev.paddock.executor.tck.worktree;

import java.util.List;

/**
 * Ordinary work in a worktree, none of which a sandbox may undo.
 *
 * @param name of the test
 * @param tool the program that it needs besides git
 * @param preparation a script of the host's user, before the session
 * @param commands one after the other; each succeeds
 * @param check a script of the host's user, after the session; succeeds
 */
record HonestWork(String name, String tool, String preparation, List<String> commands, String check) {
    private static final String NONE = ":";

    private static HonestWork git(String name, String preparation, List<String> commands, String check) {
        return new HonestWork(name, "git", preparation, commands, check);
    }

    static List<HonestWork> all() {
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
                        "git -C fresh submodule status && git -C fresh/deep/sub log --oneline | grep t && git -C fresh status"),
                new HonestWork(
                        "npm ci with a script after the installation",
                        "npm",
                        "mkdir -p package project && echo 'module.exports = 1' > package/index.js"
                                + " && echo '{\"name\":\"dep\",\"version\":\"1.0.0\",\"scripts\":{\"postinstall\":\"echo done > built\"}}' > package/package.json"
                                + " && tar -czf project/dep.tgz package && rm -r package"
                                + " && echo 'require(\"dep\")' > project/test.js"
                                + " && echo '{\"name\":\"project\",\"version\":\"1.0.0\",\"dependencies\":{\"dep\":\"file:dep.tgz\"},"
                                + "\"scripts\":{\"test\":\"node test.js\"}}' > project/package.json"
                                + " && cd project && npm install --package-lock-only --offline --ignore-scripts --cache \"$PWD/../npm-cache\" && rm -rf ../npm-cache",
                        List.of("cd project && npm ci --offline", "cd project && npm test"),
                        "test -e project/node_modules/dep/built && test -e project/node_modules/.package-lock.json"),
                new HonestWork(
                        "a Java build",
                        "javac",
                        "mkdir -p java/src && echo 'class Main { public static void main(String[] a) { } }' > java/src/Main.java",
                        List.of(
                                "cd java && javac -d classes src/Main.java && jar -cfe main.jar Main -C classes . && java -jar main.jar"),
                        "test -e java/main.jar"));
    }

    @Override
    public String toString() {
        return name;
    }
}
