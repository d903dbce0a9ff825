package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the script with which the build of a release shows that another build of it has the same files. */
@EnabledOnOs(OS.LINUX)
class SameFilesTest {
    @TempDir
    Path directory;

    private Path archive(String name, String program, String cache) throws Exception {
        Path tree = Files.createDirectories(directory.resolve(name).resolve("paddock"));
        Files.createDirectories(tree.resolve("bin"));
        Files.createDirectories(tree.resolve("cache"));
        Files.writeString(tree.resolve("bin/paddock"), program);
        Files.writeString(tree.resolve("cache/paddock.aot"), cache);
        Path archive = directory.resolve(name + ".tar.gz");
        assertThat(ReleaseTest.run(
                                "tar", "-C", directory.resolve(name).toString(), "-czf", archive.toString(), "paddock")
                        .exitCode())
                .isZero();
        return archive;
    }

    private Cli.Result compare(Path first, Path second) throws Exception {
        return ReleaseTest.run("../build/release/same-files", first.toString(), second.toString());
    }

    @Test
    void classCachesMayDiffer() throws Exception {
        assertThat(compare(archive("first", "program", "cache"), archive("second", "program", "other"))
                        .exitCode())
                .isZero();
    }

    @Test
    void differentFileIsNamed() throws Exception {
        Cli.Result result = compare(archive("first", "program", "cache"), archive("second", "other", "cache"));
        assertThat(result.exitCode()).isOne();
        assertThat(result.stdout()).contains("./bin/paddock");
    }

    @Test
    void emptyArchiveIsRefused() throws Exception {
        Path empty = directory.resolve("empty.tar.gz");
        Files.createDirectory(directory.resolve("empty"));
        assertThat(ReleaseTest.run("tar", "-C", directory.toString(), "-czf", empty.toString(), "empty")
                        .exitCode())
                .isZero();
        Cli.Result result = compare(empty, empty);
        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr()).contains("has no files");
    }
}
