package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what follows when a command removes a git directory, or puts something else in its place. */
class LostGitDirectoryTest extends GuardedWorktree {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkfifo .git",
                "mknod .git c 0 0 || mkfifo .git", // a whiteout, where the system has them
                "ln -s moved .git",
                "ln -s nowhere .git",
                "echo a > .git",
                "echo gitdir: moved > .git",
                "git config -f moved/config remote.origin.url /evil; echo gitdir: moved > .git",
                "mkdir .git",
                "cp -r moved .git"
            })
    void originalsReturnWhateverTakesPlaceOfGitDirectory(String plant) throws Exception {
        shell(worktree, "echo '#!/bin/sh' > .git/hooks/pre-commit");
        String config = Files.readString(worktree.resolve(".git/config"));
        String head = Files.readString(worktree.resolve(".git/HEAD"));

        List<String> notices = command("mv .git moved; " + plant);

        assertThat(worktree.resolve(".git/config")).as("%s", notices).hasContent(config);
        assertThat(worktree.resolve(".git/HEAD")).hasContent(head);
        assertThat(worktree.resolve(".git/hooks/pre-commit")).hasContent("#!/bin/sh");
        assertThat(lost(notices)).as("%s", notices).containsExactly("its objects and refs");
        assertThat(command("true")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mv .git moved", "rm -rf .git"})
    void filesOfGitDirectoryThatIsGoneAreNamed(String removal) throws Exception {
        shell(worktree, "echo '#!/bin/sh' > .git/hooks/pre-commit");

        List<String> notices = command(removal);

        assertThat(lost(notices))
                .as("%s", notices)
                .containsExactly("its objects and refs, 'HEAD', 'config', 'hooks/pre-commit'");
        assertThat(command("true")).isEmpty();
    }

    @Test
    void repositoryIsRemovedWithItsDirectoryWithoutNotice() throws Exception {
        shell(worktree, "git init -q inner");

        assertThat(command("test -e inner/.git; rm -rf inner")).isEmpty();
    }

    @Test
    void repositoryThatCommandHasCreatedIsRemovedWithoutNotice() throws Exception {
        command("git init -q inner");

        assertThat(command("test -e inner/.git; rm -rf inner/.git")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "inner/.git, mkfifo",
        "inner/.git, mkdir",
        ".vscode/tasks.json, mkfifo",
        ".husky/pre-commit, mkfifo",
        ".vscode, mkfifo",
        ".husky, ln -s nowhere",
        ".husky, touch",
        ".git/hooks, mkfifo",
        ".git/hooks, ln -s nowhere",
    })
    void originalsReturnWhateverTakesPlaceOfProtectedPath(String name, String plant) throws Exception {
        shell(
                worktree,
                "git worktree add -q inner; mkdir .vscode .husky; echo a > .vscode/tasks.json;"
                        + " echo a > .husky/pre-commit; echo a > .git/hooks/pre-commit");
        Path path = worktree.resolve(name);
        Path file = Files.isDirectory(path) ? path.resolve(name.equals(".vscode") ? "tasks.json" : "pre-commit") : path;
        String content = Files.readString(file);

        List<String> notices = command("mv " + name + " moved; " + plant + " " + name);

        assertThat(file).as("%s", notices).hasContent(content);
        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(notices).anyMatch(notice -> notice.contains("restored"));
    }

    /** Returns what the notices say is lost of the worktree's git directory. */
    private List<String> lost(List<String> notices) {
        String before =
                "The git directory '" + worktree.resolve(".git") + "' was removed, moved or replaced. Not restored: ";
        return notices.stream()
                .filter(notice -> notice.startsWith(before))
                .map(notice -> notice.substring(before.length(), notice.indexOf(". Restore them before")))
                .toList();
    }
}
