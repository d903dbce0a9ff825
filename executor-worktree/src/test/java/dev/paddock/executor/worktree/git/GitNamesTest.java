package dev.paddock.executor.worktree.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.path.PathBytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitNamesTest {
    @TempDir
    Path directory;

    private static String bytes(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        ".git, true",
        ".GIT, true",
        ".g\u200cit, true",
        ".g\u0131t, true",
        "\uff28EAD, true",
        "HEAD, true",
        "head, true",
        "hea, false",
        "ahead, false",
        ".github, false",
        "\u00e9, false",
        "objects, false"
    })
    void signsAreComparedAsMostLenientFileSystemDoes(String name, boolean sign) {
        assertThat(GitNames.isSign(bytes(name))).isEqualTo(sign);
        assertThat(!sign
                        || GitNames.INITIALS_OF_SIGNS.indexOf(
                                        Math.min(bytes(name).charAt(0), '\u0080'))
                                >= 0)
                .as("a search by initials finds it")
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"ob\u200djects", "REF\u017f", "CommonDir", "Head", ".Git"})
    void partsAreFoundByTheirInitials(String name) {
        assertThat(GitNames.isPart(bytes(name))).isTrue();
        assertThat(GitNames.INITIALS_OF_PARTS).contains(name.substring(0, 1));
    }

    @Test
    void fileSystemDecidesWhatGitOpens() throws Exception {
        Path other = Files.createDirectory(directory.resolve(".GIT"));
        boolean ignoresCase = Files.exists(directory.resolve(".git"));
        assertThat(GitNames.opensAsDotGit(other)).isEqualTo(ignoresCase);
        assertThat(GitNames.opensAsDotGit(directory.resolve(".git"))).isTrue();
        assertThat(GitNames.opensAsDotGit(directory.resolve("git"))).isFalse();
        assertThat(PathBytes.of(other)).endsWith(".GIT");
    }
}
