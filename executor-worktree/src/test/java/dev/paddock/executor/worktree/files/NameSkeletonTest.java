package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameSkeletonTest {
    @ParameterizedTest
    @CsvSource({
        ".git, .git",
        ".GIT, .git",
        ".g\u200cit, .git",
        ".g\u0131t, .git",
        ".v\u017fcode, .vscode",
        ".boo\u212a, .book",
        ".\u00dfh, .ssh",
        ".\ufb01sh, .fish",
        ".\uff27it, .git",
        "\u0434\u043e\u043c.txt, .txt"
    })
    void namesThatFileSystemMayTakeForOneHaveSameSkeleton(String name, String skeleton) {
        assertThat(NameSkeleton.of(name)).isEqualTo(skeleton);
    }
}
