package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests directories of the worktree from which the user's own alternates make git read objects. */
class AlternateStoresTest extends GuardedWorktree {
    private static final String SECRET = "$(cd ../secret && git rev-parse HEAD)";
    private static final String PLANT =
            "mkdir -p store/info; echo \"$PWD/../secret/.git/objects\" > store/info/alternates";

    @BeforeEach
    void createStore() throws Exception {
        shell(directory, "git init -q secret && git -C secret commit -q --allow-empty -m secret");
        shell(
                worktree,
                "mkdir store && cp -r .git/objects/?? store && ln -s store way && echo ../../store > .git/objects/info/alternates"
                        + " && git clone -q --shared . copy");
        refresh();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PLANT,
                "mv store old; mkdir store; " + PLANT,
                "rm -r store; ln -s ../secret/.git/objects store",
                "mkfifo store/11",
                "rm way; ln -s ../secret/.git/objects way"
            })
    void alternateStoreIsRestored(String planting) throws Exception {
        shell(worktree, "printf '../../store\n../../way\n../../none\n' > .git/objects/info/alternates");

        assertThat(command(planting)).isNotEmpty();
        shell(worktree, "! git cat-file -e " + SECRET + " && timeout 20 git log --all");
        assertThat(worktree.resolve("store/info/alternates")).doesNotExist();
    }

    @Test
    void isNotCreated() throws Exception {
        shell(worktree, "rm -r store");
        refresh();

        assertThat(command(PLANT)).isNotEmpty();
        assertThat(worktree.resolve("store")).doesNotExist();
    }

    /** Positive control. */
    @Test
    void gitReadsAnotherRepositoryWithoutGuard() throws Exception {
        shell(worktree, PLANT + "; git cat-file -e " + SECRET);
    }

    @Test
    void objectsOfRepositoryOfWorktreeAreWorkedWith() throws Exception {
        assertThat(command(
                        "echo b > b; git add b; git commit -qm b; cd copy; git log; git commit -q --allow-empty -m c"))
                .isEmpty();

        Path further = worktree.resolve(".git/objects/info/alternates");
        assertThat(command("echo \"$PWD/../secret/.git/objects\" >> .git/objects/info/alternates"))
                .hasSize(1);
        assertThat(further).hasContent("../../store");
    }
}
