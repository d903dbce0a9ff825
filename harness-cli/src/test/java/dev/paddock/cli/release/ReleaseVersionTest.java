package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version build/dist gives to a release, in a repository with one POM. */
class ReleaseVersionTest {
    private static final Path FUNCTIONS =
            Path.of("..", "build", "release", "version.sh").toAbsolutePath().normalize();

    @TempDir
    private Path root;

    @BeforeEach
    void createRepository() throws Exception {
        Files.writeString(root.resolve("pom.xml"), """
                <project>
                  <version>0.1.0-SNAPSHOT</version>
                </project>
                """);
        run("""
                git init -q; git config user.name a; git config user.email a@example.org
                git add pom.xml; git commit -qm one""");
    }

    @Test
    void takesTheVersionOfTheTag() throws Exception {
        Cli.Result result = run("git tag v0.1.0; release=yes; find_version; echo $version; set_version .; cat pom.xml");
        assertThat(result.stdout()).as("%s", result).startsWith("0.1.0\n").contains("<version>0.1.0</version>");
    }

    @Test
    void takesTheVersionOfThePomWithoutRelease() throws Exception {
        Cli.Result result = run("git tag v0.1.0; echo >>pom.xml; release=; find_version; echo $version $commit");
        assertThat(result.stdout()).as("%s", result).matches("0\\.1\\.0-SNAPSHOT [0-9a-f]{40}-modified\n");
    }

    @Test
    void refusesChanges() throws Exception {
        Cli.Result result = run("git tag v0.1.0; touch new; release=yes; find_version; echo accepted");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("differ from it", "?? new");
    }

    @Test
    void refusesACommitWithoutATag() throws Exception {
        Cli.Result result = run("git tag earlier; release=yes; find_version; echo accepted");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("built from a tag", "git tag -a v0.1.0");
    }

    @Test
    void refusesATagOfAnotherVersion() throws Exception {
        Cli.Result result = run("git tag v0.2.0; release=yes; find_version; echo accepted");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("the tag v0.2.0 does not match the version 0.1.0-SNAPSHOT");
    }

    private Cli.Result run(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-euc",
                        "root=$PWD; fail() { echo \"$*\" >&2; exit 1; }; . '" + FUNCTIONS + "'; " + script)
                .directory(root.toFile());
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        return Cli.finish(builder.start());
    }
}
