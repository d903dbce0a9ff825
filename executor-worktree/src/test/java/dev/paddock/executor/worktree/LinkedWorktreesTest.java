package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests programs that the configuration of a repository names in each of its worktrees. */
class LinkedWorktreesTest extends GuardedWorktree {
    private static final String PLANT = "mkdir -p inner/tools; printf '#!/bin/sh\\ntouch \"%s/ran\"\\n' \"$PWD\""
            + " > inner/tools/program; chmod +x inner/tools/program; cp inner/tools/program inner/tools/post-checkout";

    /** Git runs it in whichever worktree the user is. */
    private static final String USE = "cd inner; git status --short; git checkout -q --detach";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git config core.hooksPath tools; git worktree add -q inner",
                "git config core.fsmonitor tools/program; git worktree add -q inner",
                "git worktree add -q inner; git config extensions.worktreeConfig true;"
                        + " git -C inner config --worktree core.hooksPath tools",
                "git clone -q . ../origin; git -c protocol.file.allow=always submodule --quiet add ../origin inner;"
                        + " git -C inner config core.hooksPath tools",
            })
    void areProtectedInEachOfUsersWorktrees(String users) throws Exception {
        shell(worktree, users);
        refresh();

        assertThat(guard.isKept(worktree.resolve("inner/tools/program"))).isTrue();
        assertThat(guard.isKept(worktree.resolve("inner/a"))).isFalse();
        assertThat(command(PLANT)).isNotEmpty();

        shell(worktree, USE);
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"core.hooksPath tools", "core.fsmonitor tools/program"})
    void areProtectedInWorktreeThatCommandAdds(String setting) throws Exception {
        shell(worktree, "git config " + setting);
        refresh();

        assertThat(command("git worktree add -q inner; " + PLANT)).isNotEmpty();

        shell(worktree, USE);
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    /** Positive control: without the setting they are ordinary files. */
    @Test
    void areOrdinaryFilesElsewhere() throws Exception {
        shell(worktree, "git worktree add -q inner");
        refresh();

        assertThat(command(PLANT)).isEmpty();

        shell(worktree, "git config core.hooksPath tools; " + USE);
        assertThat(worktree.resolve("ran")).exists();
    }
}
