package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void takesVersionOfTag() throws Exception {
        Cli.Result result = run("git tag v0.1.0; release=yes; find_version; echo $version; set_version .; cat pom.xml");
        assertThat(result.stdout()).as("%s", result).startsWith("0.1.0\n").contains("<version>0.1.0</version>");
    }

    @Test
    void takesVersionOfPomWithoutRelease() throws Exception {
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
    void refusesCommitWithoutTag() throws Exception {
        Cli.Result result = run("git tag earlier; release=yes; find_version; echo accepted");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("built from a tag", "build/release/tag");
    }

    @Test
    void refusesTagOfAnotherVersion() throws Exception {
        Cli.Result result = run("git tag v0.2.0; release=yes; find_version; echo accepted");
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("the tag v0.2.0 does not match the version 0.1.0-SNAPSHOT");
    }

    /** The tag's sources and pages state its version, and those after it the next one. */
    @Test
    void tagsSnapshotAndBeginsNext() throws Exception {
        makePages();
        Cli.Result result = run("""
                build/release/tag 0.2.0 >&2; git status --porcelain
                for commit in v0.1.0 HEAD; do
                    git show $commit:pom.xml $commit:README.md | grep 'version>'; git show $commit:CHANGELOG.md | grep '^##'
                done
                git checkout -q v0.1.0; release=yes; find_version; echo $version""");
        assertThat(result.stdout()).as("%s", result).matches("""
                  <version>0\\.1\\.0</version>
                <paddock\\.version>0\\.1\\.0</paddock\\.version> <version>1\\.0</version>
                ## 0\\.1\\.0, \\d{4}-\\d\\d-\\d\\d
                  <version>0\\.2\\.0-SNAPSHOT</version>
                <paddock\\.version>0\\.2\\.0-SNAPSHOT</paddock\\.version> <version>1\\.0</version>
                ## 0\\.2\\.0, unreleased
                ## 0\\.1\\.0, \\d{4}-\\d\\d-\\d\\d
                0\\.1\\.0
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            touch new; build/release/tag 0.2.0      | \\?\\? new
            git tag v0.1.0; build/release/tag 0.2.0 | there is a tag v0\\.1\\.0 already
            build/release/tag 0.1.0                 | 0\\.1\\.0 is the version of this release
            build/release/tag 0.2.0-SNAPSHOT        | usage: build/release/tag NEXT
            """)
    void tagsNothingElse(String script, String message) throws Exception {
        makePages();
        Cli.Result result =
                run("before=$(git rev-parse HEAD); " + script + " || git diff --quiet $before && echo refused");
        assertThat(result.stdout()).isEqualTo("refused\n");
        assertThat(result.stderr()).containsPattern(message);
    }

    private void makePages() throws Exception {
        Files.writeString(
                root.resolve("README.md"),
                "<paddock.version>0.1.0-SNAPSHOT</paddock.version> <version>1.0</version>\n");
        Files.writeString(root.resolve("CHANGELOG.md"), "# Changelog\n\n## 0.1.0, unreleased\n\n* All of it.\n");
        Path scripts = Files.createDirectories(root.resolve("build/release"));
        Files.copy(FUNCTIONS.resolveSibling("tag"), scripts.resolve("tag"), StandardCopyOption.COPY_ATTRIBUTES);
        run("git add .; git commit -qm pages");
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
