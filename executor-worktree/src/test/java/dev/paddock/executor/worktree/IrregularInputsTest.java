package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the host's git waits for no pipe in place of a file that it opens by its name. */
class IrregularInputsTest extends GuardedWorktree {
    /** Fails if a command of the host's waits. */
    private static final String HOST = "for c in status 'log --use-mailmap -1' diff 'add -A -n .' 'lfs env'; do s=0;"
            + " timeout $T git $c > ../output 2>&1 || s=$?; [ $s != 124 ] || exit 1; done";

    @BeforeEach
    void track() throws Exception {
        shell(
                worktree,
                "mkdir -p deep/er && echo b > deep/er/b && git clone -q . sub && git add . && git commit -qm deep && echo c >> deep/er/b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".gitignore",
                "deep/er/.gitignore",
                ".gitattributes",
                "deep/.gitattributes",
                ".gitmodules",
                ".mailmap",
                ".lfsconfig",
                ".git/info/exclude",
                ".git/info/attributes"
            })
    void pipesAreMoved(String name) throws Exception {
        String pipe = "rm -f " + name + "; mkfifo " + name;

        assertThat(command(pipe)).anyMatch(notice -> notice.contains(name + "'"));
        shell(worktree, "T=20; " + HOST);
        assertThat(worktree.resolve(name)).doesNotExist();

        shell(worktree, pipe + "; T=1; ! (" + HOST + ")"); // positive control
    }

    @Test
    void socketsAndPipesInMovedDirectoriesAreMoved() throws Exception {
        assertThat(command("mkdir new && mkfifo new/.gitignore && mv new deep/new"))
                .hasSize(1);
        assertThat(command("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('deep/.gitattributes')\""))
                .hasSize(1);
        assertThat(worktree.resolve("deep/new/.gitignore")).doesNotExist();
        assertThat(worktree.resolve("deep/.gitattributes")).doesNotExist();
    }

    @Test
    void linksStayThatLeadToFilesOfWorktree() throws Exception {
        assertThat(command("ln -s b deep/er/.gitignore; ln -s ../a deep/.gitattributes; mkdir .mailmap"))
                .isEmpty();

        assertThat(command("rm deep/er/b; mkfifo deep/er/b")).hasSize(1);
        assertThat(worktree.resolve("deep/er/b")).doesNotExist();
        assertThat(command("true")).as("a link to nothing").isEmpty();
        assertThat(command(
                        "rm deep/.gitattributes; ln -s /dev/zero deep/.gitattributes; ln -s ../../.. deep/er/.mailmap;"
                                + " ln -s / .gitmodules"))
                .hasSize(3);
    }

    @Test
    void linksMayNotLeadOutThroughLaterOnes() throws Exception {
        assertThat(command("ln -s b deep/er/c; ln -s c deep/er/.gitignore")).isEmpty();

        assertThat(command("rm deep/er/c; ln -s /etc/passwd deep/er/c")).hasSize(1);
        assertThat(command("mkfifo pipe; ln pipe deep/.gitignore; mv pipe .gitattributes"))
                .hasSize(2);
    }

    @Test
    void pipesInPlaceOfFilesThatOtherProgramsOpenAreMoved() throws Exception {
        assertThat(command("mkfifo AGENTS.md deep/CLAUDE.md; mkdir -p .github; mkfifo .github/copilot-instructions.md;"
                        + " mkfifo pipe; ln -s pipe mise.toml; mkfifo deep/ordinary"))
                .hasSize(5)
                .anyMatch(notice -> notice.contains("AGENTS.md'") && notice.contains("would wait there"))
                .anyMatch(notice -> notice.contains("mise.toml'") && notice.contains("It stays"));
        assertThat(worktree.resolve("AGENTS.md")).doesNotExist();
        assertThat(worktree.resolve("deep/CLAUDE.md")).doesNotExist();
        assertThat(worktree.resolve(".github/copilot-instructions.md")).doesNotExist();
        assertThat(worktree.resolve("pipe")).doesNotExist();
        assertThat(worktree.resolve("deep/ordinary")).exists();
    }

    @Test
    void pipesUnderNamesThatSomeFileSystemTakesForThoseAreMoved() throws Exception {
        assertThat(command("mkfifo Agents.MD deep/.GitIgnore \"deep/CLA$(printf '\\342\\200\\215')UDE.md\""))
                .hasSize(3);
        assertThat(worktree.resolve("Agents.MD")).doesNotExist();
    }

    @Test
    void usersPipesThatOtherProgramsOpenStay() throws Exception {
        shell(worktree, "mkfifo AGENTS.md deep/GEMINI.md");
        refresh();

        assertThat(command("ln -s deep/er/b CLAUDE.md"))
                .singleElement()
                .asString()
                .contains("It stays");
        assertThat(worktree.resolve("AGENTS.md")).exists();
        assertThat(worktree.resolve("deep/GEMINI.md")).exists();
    }

    @Test
    void usersOwnStay() throws Exception {
        shell(worktree, "ln -s ../outside .gitignore; ln -s deep/er/b .mailmap; mkfifo deep/.gitattributes");
        refresh();

        assertThat(command("echo x > deep/er/b")).isEmpty();
        assertThat(command("rm .gitignore; ln -s /dev/zero .gitignore; rm deep/er/b; mkfifo deep/er/b"))
                .hasSize(2);
        assertThat(worktree.resolve("deep/er/b")).doesNotExist();
        assertThat(Files.exists(worktree.resolve(".gitignore"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        assertThat(worktree.resolve(".mailmap")).isSymbolicLink();
        assertThat(Path.of(worktree.toString(), "deep/.gitattributes")).exists();
    }

    @Test
    void pipesOfKilledSessionAreMoved() throws Exception {
        guard.close();
        abandon(worktree, "mkfifo deep/.gitignore");

        guard = guarding(worktree);

        assertThat(guard.settledAtOpening()).anyMatch(notice -> notice.contains(".gitignore"));
        shell(worktree, "T=20; " + HOST);
    }
}
