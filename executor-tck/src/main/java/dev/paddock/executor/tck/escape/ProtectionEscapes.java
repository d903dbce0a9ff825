package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attempts to leave files in the worktree that the host runs or obeys: git's configuration and
 * hooks, shells' start-up files, editors' and agents' settings. Afterwards the host does in the
 * worktree what its user would do, and runs none of the command's code.
 */
public interface ProtectionEscapes {

    /**
     * Prepares a repository with a nested one, and files that the host's programs read
     * automatically. All files belong to the user.
     */
    String PREPARATION = """
            git init -q . && git config user.name a && git config user.email a@example.org
            git config extensions.worktreeConfig true
            mkdir -p deep/inner .claude src scripts .git/hooks && ln -s ../../scripts/check .git/hooks/post-rewrite
            echo : > .bashrc && echo : > .claude/settings.json
            git commit -q --allow-empty -m first
            cd deep/inner && git init -q . && git config user.name a && git config user.email a@example.org
            git commit -q --allow-empty -m first
            """;

    /** The user's own actions, and those that the user's programs do automatically. */
    String USE = """
            export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=maintenance.auto GIT_CONFIG_VALUE_0=false
            for d in . deep/inner src; do
                [ $d != src ] || [ -e src/.git ] || continue
                ( cd $d && git status && git commit -q --allow-empty -m next && git checkout -q -b other )
            done
            for f in .envrc .bashrc .bash_profile .profile .zshrc .zprofile .mcp.json .vscode/tasks.json .idea/run.xml \\
                    .claude/settings.json deep/inner/.envrc .zshenv .hg/hgrc .zed/tasks.json .gemini/settings.json scripts/check; do
                if [ -f $f ]; then sh ./$f; fi
            done 2>&1
            """;

    /** Exchanges two paths in one system call: renameat2 on Linux, renameatx_np on macOS (untested). */
    String EXCHANGE = "exchange() { perl -MConfig -e '"
            + "my ($call, $here) = $^O eq \"darwin\" ? (488, -2) : ($Config{archname} =~ /^x86_64/ ? 316 : 276, -100);"
            + " syscall($call, $here, $ARGV[0], $here, $ARGV[1], 2) == 0 or die $!' \"$@\"; }; ";

    /** $RUN is the shell code that the command wants the host to run. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "direnv file: echo \"$RUN\" > .envrc",
                "tool configuration and shell start-up files: echo \"$RUN\" > .mcp.json; echo \"$RUN\" > .profile; echo \"$RUN\" > .zprofile",
                "editor tasks: mkdir .vscode .idea; echo \"$RUN\" > .vscode/tasks.json; echo \"$RUN\" > .idea/run.xml",
                "start-up files and settings of other programs: mkdir .hg .zed .gemini; for f in .zshenv .hg/hgrc .zed/tasks.json"
                        + " .gemini/settings.json; do echo \"$RUN\" > $f; done",
                "link to a directory of Mercurial's: mkdir made; echo \"$RUN\" > made/hgrc; ln -s made .hg",
                "target of the user's link in place of a hook: echo \"$RUN\" > scripts/check",
                "direnv file in a subdirectory: echo \"$RUN\" > deep/inner/.envrc",
                "git hook: mkdir -p .git/hooks; echo \"$RUN\" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
                "link to a directory of editor tasks: mkdir made; echo \"$RUN\" > made/tasks.json; ln -s made .vscode",
                "link to a direnv file: echo \"$RUN\" > made; ln -s made .envrc",
                "git configuration: git config core.fsmonitor \"$RUN\"",
                "git configuration of the worktree: printf '[core]\\nfsmonitor = \"%s\"\\n' \"$RUN\" > .git/config.worktree",
                "git configuration of a nested repository: git -C deep/inner config core.fsmonitor \"$RUN\"",
                "hooks path of a nested repository: mkdir hooks; printf '#!/bin/sh\\n%s\\n' \"$RUN\" > hooks/pre-commit; chmod +x hooks/pre-commit;"
                        + " git -C deep/inner config core.hooksPath \"$PWD/hooks\"",
                "git hook of a nested repository: cd deep/inner/.git; mkdir -p hooks; echo \"$RUN\" > hooks/pre-commit; chmod +x hooks/pre-commit",
                "git hook of a new repository: git init -q src; echo \"$RUN\" > src/.git/hooks/pre-commit; chmod +x src/.git/hooks/pre-commit;"
                        + " git -C src config user.name a; git -C src config user.email a@example.org",
                "git directory moved away and made again: mv .git git; cp -r git .git; git config core.fsmonitor \"$RUN\"",
                "git directory exchanged with a copy: cp -r .git git; git --git-dir=git config core.fsmonitor \"$RUN\"; exchange .git git",
                "git configuration exchanged with a file: git config -f made core.fsmonitor \"$RUN\"; exchange .git/config made",
                "parent of a repository moved away and made again: mv deep d; cp -r d deep; git -C deep/inner config core.fsmonitor \"$RUN\"",
                "nested repository replaced by a copy: cp -r deep/inner new; git -C new config core.fsmonitor \"$RUN\"; mv deep/inner old; mv new deep/inner",
                "git directory replaced by a .git file: cp -r .git git; git --git-dir=git config core.fsmonitor \"$RUN\"; mv .git old; echo gitdir: git > .git",
                "existing shell start-up file: echo \"$RUN\" > .bashrc",
                "shell start-up file moved away and made again: mv .bashrc old; echo \"$RUN\" > .bashrc",
                "existing settings replaced by a rename: echo \"$RUN\" > new; mv -f new .claude/settings.json",
                "directory of settings moved away and made again: mv .claude old; mkdir .claude; echo \"$RUN\" > .claude/settings.json",
            })
    default void hostRunsNothingThatACommandLeft(String way, Escape escape) throws Exception {
        escape.assumeProtects();
        Path canary = escape.outside("ran");
        String attack = EXCHANGE + "RUN='touch " + canary + "'; " + way.substring(way.indexOf(':') + 1);
        Path worktree = escape.prepared("worktree", PREPARATION);
        Escape.Output inside = escape.in(worktree, attack);
        escape.onHost(worktree, USE);
        assertThat(canary).as("what the host ran after: " + inside.text()).doesNotExist();
        Path control = escape.prepared("control", PREPARATION);
        escape.onHost(control, "( " + attack + "\n)\n" + USE);
        assertThat(canary).as("what the host ran after the same outside").exists();
    }

    /** The commands name their worktree's git directory by $G, and the main checkout by $M. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git file that leads to a copy of the repository: cp -r $M/.git git; git --git-dir=git config core.bare false;"
                        + " git --git-dir=git config core.fsmonitor \"$RUN\"; echo gitdir: git > .git",
                "common directory of a copy: cp -r $M/.git git; git --git-dir=git config core.fsmonitor \"$RUN\"; echo \"$PWD/git\" > $G/commondir",
                ".git file replaced by a new repository: rm .git; git init -q .; git config core.fsmonitor \"$RUN\"",
                "configuration of the main repository: git config core.fsmonitor \"$RUN\"",
                "git hook of the main repository: mkdir -p $M/.git/hooks; echo \"$RUN\" > $M/.git/hooks/pre-commit; chmod +x $M/.git/hooks/pre-commit",
                "configuration of the linked worktree: printf '[core]\\nfsmonitor = \"%s\"\\n' \"$RUN\" > $G/config.worktree",
                "worktree configuration of the main repository: printf '[core]\\nfsmonitor = \"%s\"\\n' \"$RUN\" > $M/.git/config.worktree",
                "direnv file of the main checkout: echo \"$RUN\" > $M/.envrc",
            })
    default void hostRunsNothingThatACommandLeftInALinkedWorktree(String way, Escape escape) throws Exception {
        escape.assumeProtects();
        Path canary = escape.outside("ran");
        for (String place : new String[] {"inside", "control"}) {
            Path main = escape.prepared("main-" + place, PREPARATION);
            Path linked = main.resolveSibling("linked-" + place);
            escape.onHost(main, "git worktree add -q " + linked);
            String attack = "RUN='touch " + canary + "'; M=" + main + "; G="
                    + main.resolve(".git/worktrees").resolve(linked.getFileName()) + "; "
                    + way.substring(way.indexOf(':') + 1);
            String use = USE + "cd '" + main + "'\n" + USE;
            if (place.equals("inside")) {
                Escape.Output output = escape.in(linked, attack);
                escape.onHost(linked, use);
                assertThat(canary)
                        .as("what the host ran after: " + output.text())
                        .doesNotExist();
            } else {
                escape.onHost(linked, "( " + attack + "\n)\n" + use);
                assertThat(canary)
                        .as("what the host ran after the same outside")
                        .exists();
            }
        }
    }

    /**
     * A clone is useless without its configuration, so the configuration stays, without the
     * programs that it names, which are reported.
     */
    @Test
    default void programsOfRepositoryThatCommandMakesAreRemovedAndReported(Escape escape) throws Exception {
        escape.assumeProtects();
        Path worktree = escape.prepared("worktree", PREPARATION);
        Escape.Output output = escape.in(
                worktree,
                "git init -q made && cd made && git config user.name a && git config user.email a@example.org"
                        + " && git commit -q --allow-empty -m first && git config core.fsmonitor 'touch x' && git log --format=%s");
        assertThat(output.text()).contains("first").contains("core.fsmonitor");
        assertThat(escape.onHost(worktree.resolve("made"), "git config core.fsmonitor")
                        .text())
                .isEmpty();
        assertThat(escape.onHost(worktree.resolve("made"), "git config core.bare")
                        .text())
                .isEqualTo("false\n");
        assertThat(escape.in(worktree, "git -C made log --format=%s").text()).isEqualTo("first\n");
    }

    /**
     * A process can write to a descriptor that was opened before its file was protected, although
     * the command that opened it is settled.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void descriptorThatAnotherCommandReceivedPlantsNothing(boolean inOneSession, Escape escape)
            throws Exception {
        escape.assumeProtects();
        assumeTrue(
                escape.runOutside("uname; command -v perl").text().startsWith("Linux\n/"),
                "the suite's program passes descriptors by the system calls of Linux, and takes perl");
        Path canary = escape.outside("ran");
        String hold = "exec perl escape.pl hold s '[core] fsmonitor = touch " + canary + "'";
        String pass = "git init -q made && perl escape.pl pass s made/.git/config";

        Path worktree = escape.prepared("worktree", PREPARATION);
        Files.copy(escape.inside("escape.pl"), worktree.resolve("escape.pl"));
        CommandExecutor passing = escape.session(worktree);
        CommandExecutor holding = inOneSession ? passing : escape.session(worktree);
        assumeTrue(escape.in(passing, worktree, "command -v perl").succeeded(), "there is no perl where commands run");
        ProcessLike holder = escape.start(holding, worktree, hold);
        boolean written = writesToPassed(holder.stdout(), holder.stdin(), () -> escape.in(passing, worktree, pass));
        if (!written) {
            var unused = holder.kill(Signal.KILL); // it waits for the descriptor
        }
        String report = escape.finish(holder).text();
        escape.onHost(worktree, "cd made && git status");
        assertThat(canary).as("what the host ran after: " + report).doesNotExist();
        if (written) {
            assertThat(report).contains("made/.git/config");
        }

        Path control = escape.prepared("control", PREPARATION);
        Files.copy(escape.inside("escape.pl"), control.resolve("escape.pl"));
        Process outside = escape.startOutside("sh", "-c", "cd '" + control + "' && " + hold);
        assertThat(writesToPassed(
                        outside.getInputStream(), outside.getOutputStream(), () -> escape.onHost(control, pass)))
                .as("written outside")
                .isTrue();
        escape.onHost(control, "cd made && git status");
        assertThat(canary).as("what the host ran after the same outside").exists();
    }

    /** Lets a process write by the descriptor that a command passes; false if no socket connects the two. */
    private static boolean writesToPassed(InputStream output, OutputStream input, Supplier<Escape.Output> pass)
            throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
        String first = String.valueOf(lines.readLine());
        if (first.startsWith("refused: ")) {
            return false;
        }
        assertThat(first).isEqualTo("up");
        String passed = pass.get().text();
        if (passed.startsWith("refused: ")) {
            return false; // another session's sandbox, which has no such socket
        }
        assertThat(passed).startsWith("done\n");
        assertThat(lines.readLine()).isEqualTo("held");
        input.close();
        assertThat(lines.readLine()).isEqualTo("done");
        return true;
    }

    /**
     * No program that the executor uses to set up a sandbox is searched for in directories that
     * commands can write to.
     */
    @Test
    default void helpersAreNotTakenFromWorktree(Escape escape) throws IOException {
        Path canary = escape.outside("ran");
        Path worktree = escape.inside("helpers");
        Files.createDirectory(worktree);
        String fakes = "for p in sh bwrap nsenter git setsid docker env cat sleep; do" + " printf '#!/bin/sh\\ntouch "
                + canary + "\\n' > $p; chmod +x $p; done";
        escape.onHost(worktree, fakes);
        assertThat(escape.in(worktree, "cat /dev/null; sleep 0; echo works").text())
                .isEqualTo("works\n");
        assertThat(canary).doesNotExist();
        escape.onHost(worktree, "./bwrap");
        assertThat(canary).exists();
    }
}
