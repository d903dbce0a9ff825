package dev.paddock.executor.remote.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which files of the remote system elsewhere may replace the host's. */
class ProtectedLandingTest {
    @TempDir
    Path worktree;

    @ParameterizedTest
    @ValueSource(strings = {".git", ".GIT", ".g\u0131t"})
    void pointersDoNotLandUnderAnyNameThatIsTakenForTheirs(String name) throws Exception {
        ProtectedLanding rule = new ProtectedLanding(worktree, ProtectedPaths.standard());
        Files.writeString(worktree.resolve(name), "gitdir: elsewhere");

        assertThat(rule.mayLand(Path.of(name), true)).isFalse();
        assertThat(rule.mayLand(Path.of("new", name), false)).isTrue();
        assertThat(rule.mayLand(Path.of(name + "x"), false)).isTrue();
    }
}
