package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the files which existed before a command stay, if it makes git obey them or not. */
class OlderFilesTest extends GuardedWorktree {

    /** Git adds to an existing {@code config}, and takes the hooks as they are. */
    @Test
    void directoryOfUsersBecomesNoBareRepositoryAndKeepsItsFiles() throws Exception {
        String app = "mkdir -p app/hooks app/info; printf '[core]\\n\\tfsmonitor = ./run\\n' > app/config;"
                + " echo run > app/hooks/pre-commit; echo '* filter=x' > app/info/attributes; ln -s a app/index";
        shell(worktree, app);
        refresh();
        waitForTick(worktree.resolve("app"));

        assertThat(command("git init -q --bare app; printf more >> app/config"))
                .singleElement()
                .asString()
                .contains("app/HEAD", "older files");

        assertThat(worktree.resolve("app/HEAD")).doesNotExist();
        assertThat(worktree.resolve("app/config"))
                .content()
                .startsWith("[core]")
                .contains("fsmonitor", "more");
        assertThat(worktree.resolve("app/hooks/pre-commit")).hasContent("run");
        assertThat(worktree.resolve("app/info/attributes")).exists();
        assertThat(worktree.resolve("app/index")).isSymbolicLink();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void layoutThatEarlierCommandHasBegunIsNotCompleted() throws Exception {
        command(
                "mkdir -p app/hooks; echo evil > app/hooks/post-checkout; printf '[core]\\n\\tbare = false\\n' > app/config");
        waitForTick(worktree.resolve("app"));

        assertThat(command("cd app; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD"))
                .singleElement()
                .asString()
                .contains("app/HEAD");
    }

    @Test
    void bareRepositoriesInNewDirectoriesStayAndCanBeMoved() throws Exception {
        command("mkdir empty");
        waitForTick(worktree.resolve("empty"));

        assertThat(command("git init -q --bare empty; git clone -q --bare . copy.git; git init -q --bare new.git"))
                .isEmpty();
        waitForTick(worktree.resolve("new.git/HEAD"));
        assertThat(command("mv new.git other.git; git push -q ./other.git main"))
                .isEmpty();

        assertThat(List.of("empty", "copy.git", "other.git"))
                .allSatisfy(name ->
                        assertThat(worktree.resolve(name).resolve("HEAD")).exists());
    }
}
