package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the finder doubts what it cannot read. Root may read everything. */
public class UnreadableRepositoriesTest {
    @TempDir
    Path directory;

    @Test
    void unreadableDirectoriesAreUnjudged() throws Exception {
        Path root = directory.toRealPath();
        assumeFalse(GitReferee.territory(root).owners().contains(0), "root reads every directory");
        shell(root, "git init -q a && git init -q b && chmod 000 a b/.git");
        try {
            Findings findings = new RepositoryFinder(GitReferee.territory(root)).below(root);

            assertThat(findings.unjudged()).containsOnlyKeys(root.resolve("a"), root.resolve("b/.git"));
            assertThat(findings.repositories()).singleElement().satisfies(found -> {
                assertThat(found.gitDirectory()).isEqualTo(root.resolve("b/.git"));
                assertThat(found.kind()).isEqualTo(Repository.Kind.ORDINARY);
                assertThat(found.mutual()).isTrue();
            });
        } finally {
            shell(root, "chmod 700 a b/.git");
        }
    }
}
