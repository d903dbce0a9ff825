package dev.paddock.executor.sandbox.worktree.git;

import static dev.paddock.executor.sandbox.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the flags that the real git sets in its index. */
class IndexFlagsTest {
    @TempDir
    Path root;

    @ParameterizedTest
    @CsvSource({"2, sha1", "3, sha1", "4, sha1", "2, sha256", "4, sha256"})
    void hiddenFilesAreFoundInEveryVersion(int version, String format) throws Exception {
        shell(
                root,
                "git init -q --object-format=" + format
                        + " . && mkdir -p a/b && for n in a/b/1 a/b/12 a/b/123 a/c d longer-name; do"
                        + " echo $n > $n; done; git add . && git update-index --index-version " + version);
        boolean sha256 = format.equals("sha256");
        Path index = root.resolve(".git/index");
        assertThat(IndexFlags.hidden(index, sha256)).contains(Set.of());

        shell(root, "git update-index --assume-unchanged a/b/12 && git update-index --skip-worktree longer-name a/c");

        assertThat(IndexFlags.hidden(index, sha256)).contains(Set.of("a/b/12", "longer-name", "a/c"));
    }

    @Test
    void damagedOrAbsentIndexHasNoAnswer() throws Exception {
        shell(root, "git init -q . && echo x > x && git add x");
        Path index = root.resolve(".git/index");
        byte[] whole = Files.readAllBytes(index);
        Files.write(index, Arrays.copyOf(whole, 60));

        assertThat(IndexFlags.hidden(index, false)).isEmpty();
        assertThat(IndexFlags.hidden(root.resolve("absent"), false)).isEmpty();
        Files.writeString(index, "DIRC\0\0\0\u0004\0\0\0\u0001");
        assertThat(IndexFlags.hidden(index, false)).isEmpty();
    }
}
