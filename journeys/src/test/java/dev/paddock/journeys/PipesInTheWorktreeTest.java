package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worktree with pipes in place of the files that Paddock opens. */
@EnabledOnOs(OS.LINUX)
class PipesInTheWorktreeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private Path work = Path.of("work");
    private Paddock paddock = Paddock.in(work, work);

    @BeforeEach
    void makeRepository() throws Exception {
        Programs.require("git");
        Prerequisite.require(Files.isDirectory(Path.of("/sys/kernel/security")), "no kernel with Landlock");
        work = home.resolve("work");
        Files.createDirectories(work.resolve("sub"));
        paddock = Paddock.in(work, home);
        paddock.host("git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first");
    }

    @ParameterizedTest
    @ValueSource(strings = {".git/HEAD", ".git/config", ".bashrc", ".mcp.json", "sub/.git", ".git/packed-refs"})
    void pipesInPlaceOfProtectedFilesAreNamed(String name) throws Exception {
        pipe(name);

        Paddock.Result result = run("exec", "--executor", "landlock", "--", "true");

        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stderr()).contains(name).contains("it is a pipe, a socket or a device");
    }

    @ParameterizedTest
    @ValueSource(strings = {".gitignore", "AGENTS.md", ".git/index", ".git/info/exclude"})
    void pipesInPlaceOfOtherFilesBlockNothing(String name) throws Exception {
        pipe(name);

        assertThat(run("exec", "--executor", "landlock", "--", "true").exitCode())
                .isZero();
        assertThat(run("mcp", "--executor", "landlock").exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec -- true", "mcp", "config check", "config show"})
    void pipeInPlaceOfConfigurationIsRefused(String arguments) throws Exception {
        pipe("paddock.yaml");

        Paddock.Result result = run(arguments.split(" ", -1));

        assertThat(result.exitCode()).isPositive();
        assertThat((result.stdout() + result.stderr()).replaceAll("\\s+", " "))
                .contains("paddock.yaml")
                .contains("is no regular file")
                .doesNotContain("a fault in paddock");
    }

    private void pipe(String name) throws Exception {
        assertThat(paddock.host("rm -rf " + name + " && mkfifo " + name)).isEmpty();
    }

    private Paddock.Result run(String... arguments) {
        return assertTimeoutPreemptively(PATIENCE, () -> paddock.run(arguments));
    }
}
