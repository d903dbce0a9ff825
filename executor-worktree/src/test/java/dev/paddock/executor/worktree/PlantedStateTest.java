package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no state of a repository which a command has written makes git, started by the user
 * afterwards, write to files of the command's choice, or follow it out of the worktree, unnoticed.
 */
class PlantedStateTest extends GuardedWorktree {
    private static final String CONFLICT = "1111111111111111111111111111111111111111";

    /** A merge that rerere is to record: at the next commit git writes to the file that MERGE_RR names. */
    private static final String RECORDED_MERGE = "mkdir .git/rr-cache/" + CONFLICT + "; cd .git/rr-cache/" + CONFLICT
            + "; cp ../../config preimage; cp preimage postimage;"
            + " printf '[alias]\\n\\tst = !touch PLANTED\\n' >> postimage;"
            + " printf '" + CONFLICT + ".-1\\t.git/config\\0' > ../../MERGE_RR";

    private static final String STASH = "echo 'touch PLANTED' > .envrc; git add -f .envrc; s=$(git stash create);"
            + " git rm -qf --cached .envrc; rm .envrc;";

    @Test
    void recordedMergeWritesToNoFileOfCommandsChoice() throws Exception {
        shell(worktree, "mkdir .git/rr-cache");
        refresh();

        assertThat(command(RECORDED_MERGE)).singleElement().asString().contains("MERGE_RR'", "git writes to the files");

        shell(worktree, "git commit -q --allow-empty -m x; git st || true");
        assertThat(worktree.resolve("PLANTED")).doesNotExist();
    }

    /** Positive control: without settlement git writes the setting, and runs the program. */
    @Test
    void recordedMergeWritesConfigurationWithoutGuard() throws Exception {
        shell(worktree, "mkdir .git/rr-cache; (" + RECORDED_MERGE + "); git commit -q --allow-empty -m x; git st");

        assertThat(worktree.resolve("PLANTED")).exists();
    }

    /** Paths that the replay of a merge would follow out of the worktree, or into a file with a second name. */
    @ParameterizedTest
    @ValueSource(strings = {"link/file", "link", "twin", ".git/config", "../x", "/etc/passwd", "a/../b"})
    void recordedMergeNamesNoOtherFiles(String path) throws Exception {
        shell(
                worktree,
                "git config rerere.enabled true; mkdir .git/rr-cache; ln -s .. link; echo x > twin; ln twin two");
        refresh();

        assertThat(command("printf '" + CONFLICT + "\\t" + path + "\\0' > .git/MERGE_RR"))
                .singleElement()
                .asString()
                .contains("MERGE_RR'", "git writes to the files");
        assertThat(command("printf '%s\\t%s\\0' " + CONFLICT + ".1 a " + CONFLICT + " new/b > .git/MERGE_RR"))
                .isEmpty();
        assertThat(command("ln -s .. new")).singleElement().asString().contains("MERGE_RR'");
    }

    @Test
    void recordedMergeInSubmoduleNamesFilesOfItsWorktree() throws Exception {
        shell(
                worktree,
                "git -c protocol.file.allow=always submodule --quiet add \"$PWD\" sub; cd sub; git config rerere.enabled true;"
                        + " git checkout -q -b x; echo x > a; git commit -qam x; git checkout -q main; echo y > a; git commit -qam y;"
                        + " ln -s ../../.. link");
        refresh();

        assertThat(command("cd sub; ! git merge x")).isEmpty();
        assertThat(worktree.resolve(".git/modules/sub/MERGE_RR")).isNotEmptyFile();
        assertThat(command("printf '" + CONFLICT + "\\tlink/file\\0' >> .git/modules/sub/MERGE_RR"))
                .singleElement()
                .asString()
                .contains("sub/MERGE_RR'", "git writes to the files");
    }

    @Test
    void listOfShallowCommitsIsOneAsGitWritesIt() throws Exception {
        assertThat(command("echo evil > .git/shallow"))
                .singleElement()
                .asString()
                .contains("no list of commits");
        shell(worktree, "git log");
        assertThat(command("git rev-parse HEAD > .git/shallow"))
                .singleElement()
                .asString()
                .contains("no history before");

        shell(worktree, "echo evil > .git/shallow; ! git log"); // positive control
    }

    @Test
    void usersListOfShallowCommitsIsRestored() throws Exception {
        shell(worktree, "git commit -q --allow-empty -m second; git clone -q --depth 1 \"file://$PWD\" copy");
        refresh();
        String before = Files.readString(worktree.resolve("copy/.git/shallow"));

        assertThat(command("echo evil >> copy/.git/shallow")).hasSize(1);
        assertThat(worktree.resolve("copy/.git/shallow")).hasContent(before);

        assertThat(command("git -C copy fetch -q --unshallow")).isEmpty();
        shell(worktree, "git -C copy log --oneline | grep first");
    }

    @Test
    void stashThatNextCommitAppliesIsReported() throws Exception {
        assertThat(command(STASH + "echo $s > .git/MERGE_AUTOSTASH"))
                .singleElement()
                .asString()
                .contains("MERGE_AUTOSTASH'", "at the next commit");
        assertThat(command("mkdir .git/rebase-merge; " + STASH + "echo $s > .git/rebase-merge/autostash"))
                .anyMatch(notice -> notice.contains("rebase-merge/autostash'"));
    }

    @Test
    void optionsOfRebaseThatAppliesPatchesAreMoved() throws Exception {
        shell(worktree, "mkdir .git/rebase-apply; echo rebasing > .git/rebase-apply/rebasing");
        refresh();

        assertThat(command("cd .git/rebase-apply; echo -Sother > gpg_sign_opt; echo -Xours > strategy_opts;"
                        + " echo own > strategy"))
                .hasSize(3);
        assertThat(worktree.resolve(".git/rebase-apply/gpg_sign_opt")).doesNotExist();
    }

    /** The main worktree stands outside the sandbox: its unfinished merges are no command's business. */
    @Test
    void stateOfMainWorktreeIsNotSessionsOfLinkedOne() throws Exception {
        Path linked = directory.resolve("linked");
        shell(worktree, "git worktree add -q ../linked; mkdir .git/rr-cache");
        guard.close();
        try (WorktreeGuard inner = guarding(linked)) {
            WorktreeGuard.Command command = inner.begin(ProtectionPlan.NONE);
            shell(
                    linked,
                    "git commit -q --allow-empty -m other; c=$(git rev-parse HEAD); " + STASH
                            + " cd '../work tree'; echo $c > .git/MERGE_HEAD; printf no-ff > .git/MERGE_MODE;"
                            + " echo $s > .git/MERGE_AUTOSTASH; mkdir .git/rebase-merge; " + RECORDED_MERGE);

            assertThat(command.settle())
                    .hasSize(5)
                    .allSatisfy(notice -> assertThat(notice).contains("belongs to a worktree outside the sandbox"));
        }
        shell(worktree, "git commit -q --allow-empty -m x; ! git rev-parse -q --verify HEAD^2; ! git st");
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        guard = guarding(worktree);
    }

    /** The number of names stays the same. */
    @Test
    void nameInPlaceOfAnotherOneReachesNothing() throws Exception {
        shell(worktree, "mkdir copy; cp -al .git copy/.git; echo good > .envrc; ln .envrc backup");
        refresh();

        List<String> notices = command("ln .git/config innocent; ln .git/index harmless; rm -rf copy; mv backup other");

        assertThat(notices).filteredOn(notice -> notice.contains("second name")).hasSizeGreaterThanOrEqualTo(3);
        for (String name : List.of("innocent", "harmless", "other")) {
            Files.writeString(worktree.resolve(name), "evil"); // by a later session that does not guard this worktree
        }
        assertThat(worktree.resolve(".envrc")).hasContent("good");
        shell(worktree, "git status --porcelain");
    }

    @Test
    void alternatesLeadToRepositoriesOfWorktreeAlone() throws Exception {
        String secret = secret();

        assertThat(command("mkdir -p objs/info; echo '" + secret + "' > objs/info/alternates; git init -q new;"
                        + " echo ../../../objs > new/.git/objects/info/alternates"))
                .singleElement()
                .asString()
                .contains("alternates'");
        assertThat(command("git clone -qs . shared; git -C shared log -1 >/dev/null"))
                .as("a repository of the worktree")
                .isEmpty();
    }

    @Test
    void alternatesAreJudgedAgainWhenTheirTargetMayHaveChanged() throws Exception {
        String secret = secret();
        command("git init -q base; git clone -qs base shared");
        assertThat(worktree.resolve("shared/.git/objects/info/alternates")).exists();

        List<String> notices = command("rm -r base; mkdir -p base/.git; ln -s '" + secret + "' base/.git/objects");

        assertThat(notices).anyMatch(notice -> notice.contains("shared/.git/objects/info/alternates'"));
        assertThat(worktree.resolve("shared/.git/objects/info/alternates")).doesNotExist();
        assertThat(command("true")).isEmpty();
    }

    private String secret() throws Exception {
        shell(directory, "git init -q secret; cd secret; echo s > s; git add s; git commit -qm s");
        return directory.resolve("secret/.git/objects").toString();
    }
}
