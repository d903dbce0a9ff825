package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a directory's links, pipes and directories are listed, and none of its many files. */
class DirectoryReaderTest {
    private static final String INITIALS = "H\u0080";

    @TempDir
    Path directory;

    private static boolean isWanted(String name) {
        return name.equals("HEAD") || name.startsWith("\u00c3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyEntriesThatAreNoFilesAreListed(boolean portable) throws Exception {
        for (String file : List.of("a", "HEAD", "Hx", "b")) {
            Files.createFile(directory.resolve(file));
        }
        Path odd = Files.createFile(directory.resolve(TreeSearch.path("\u00c3\u00a9")));
        Path below = Files.createDirectory(directory.resolve("directory"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), below);
        Path dangling = Files.createSymbolicLink(directory.resolve("nothing"), Path.of("absent"));
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        DirectoryReader reader = portable ? DirectoryReader.portable() : DirectoryReader.create();

        assertThat(reader.irregular(directory, INITIALS, DirectoryReaderTest::isWanted))
                .containsExactlyInAnyOrder(
                        directory.resolve("HEAD"), odd, below, link, dangling, directory.resolve("pipe"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void directoryWhoseTimesProveNothingIsReadEachTime() throws Exception {
        Path proc = Path.of("/proc/sys");
        DirectoryCache cache = new DirectoryCache();
        CachedDirectory first = cache.at(proc);
        assertThat(first.irregular(INITIALS, DirectoryReaderTest::isWanted)).contains(proc.resolve("kernel"));
        cache.refresh();
        assertThat(cache.at(proc)).isNotSameAs(first);

        Files.createDirectory(directory.resolve("below"));
        await("the tick of the change").until(() -> {
            cache.refresh();
            CachedDirectory listed = cache.at(directory);
            assertThat(listed.irregular(INITIALS, DirectoryReaderTest::isWanted))
                    .containsExactly(directory.resolve("below"));
            cache.refresh();
            return cache.at(directory) == listed;
        });
    }
}
