package dev.paddock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.Cli;
import dev.paddock.executor.ExecutorProviders;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock demo}: it makes the failing test pass. */
class DemoCommandTest {
    @TempDir
    private Path directory;

    private Path temporary;

    @BeforeEach
    void makeTemporaryDirectory() throws IOException {
        temporary = Files.createDirectory(directory.resolve("tmp"));
    }

    private Cli cli() {
        return Cli.in(directory).jvm("-Djava.io.tmpdir=" + temporary);
    }

    @Test
    void makesTestPassAndLeavesNothing() throws Exception {
        Cli.Result result = cli().run("demo", "--executor", "host");
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .contains("nothing isolates them")
                .containsSubsequence(
                        "read  leap.sh",
                        "bash  sh test.sh",
                        "FAILED  1900 is a common year",
                        "Command exited with code 1",
                        "failed, ",
                        "edit  leap.sh",
                        "bash  sh test.sh",
                        "0 failed",
                        "done, ",
                        "git diff, on the host",
                        "-[ $((year % 4)) -eq 0 ]",
                        "+    [ $((year % 400)) -eq 0 ]",
                        "the commands ran on the host",
                        "distinguishes exit 137 from death by SIGKILL")
                .doesNotContain("\u001b");
        assertThat(result.exitCode()).isZero();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void demoRunsInBubblewrap() throws Exception {
        runInSandbox("bwrap");
    }

    @Tag("full")
    @Test
    void demoRunsUnderLandlock() throws Exception {
        runInSandbox("landlock");
    }

    private void runInSandbox(String executor) throws Exception {
        assumeTrue(ExecutorProviders.named(executor).probe().isUsable(), executor + " cannot be used here");
        Cli.Result result = cli().run("demo", "--executor", executor);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .containsSubsequence(
                        "FAILED  1900 is a common year", "0 failed", "the commands ran in a sandbox, " + executor)
                .doesNotContain("nothing isolates them");
        assertThat(result.exitCode()).isZero();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void withoutSandboxItRunsOnHostAndSaysSo() throws Exception {
        Cli.Result result = Cli.in(directory).withoutSandboxes().run("demo");
        assertThat(result.stdout()).startsWith("!!!!").contains("No sandbox can be used here");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void C14_demoThatNeedsSandboxDoesNotRunOnHost() throws Exception {
        Cli.Result result = cli().withoutSandboxes().run("demo", "--executor", "auto");
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stdout()).doesNotContain("test.sh");
        assertThat(result.stderr()).hasLineCount(1).contains("no sandbox");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void usersGitConfigurationDoesNotMatter() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(home.resolve(".gitconfig"), """
                [core]
                    hooksPath = /nonexistent
                    fsmonitor = false
                    pager = false
                [commit]
                    gpgSign = true
                [diff]
                    external = false
                [init]
                    templateDir = /nonexistent
                [user]
                    useConfigOnly = true
                """);
        Cli.Result result = Cli.in(directory)
                .env("HOME", home.toString())
                .env("GIT_DIR", "/nonexistent")
                .run("demo", "--executor", "host");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
    }

    @Test
    void withoutGitItSaysSo() throws Exception {
        Cli.Result result = cli().env("PATH", directory.toString()).run("demo", "--executor", "host");
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stderr())
                .isEqualTo("paddock: git is needed and not installed here. Install git, then try again.\n");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void keepLeavesRepository() throws Exception {
        Cli.Result result = cli().run("demo", "--executor", "host", "--keep");
        Path kept = Path.of(
                result.stdout().lines().reduce((a, b) -> b).orElseThrow().replace("Kept: ", ""));
        assertThat(kept.resolve("worktree/leap.sh")).content().contains("400");
        assertThat(kept.resolve("worktree/.git")).as("a linked worktree").isRegularFile();
    }

    @Test
    void signalLeavesNothing() throws Exception {
        String seconds = "85" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);
        Path programs = Files.createDirectory(directory.resolve("bin"));
        Path shell = Files.writeString(programs.resolve("sh"), "#!/bin/sh\nsleep " + seconds + "\n");
        Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process process = cli().withSignals()
                .env("PATH", programs + ":" + System.getenv("PATH"))
                .start("demo", "--executor", "host");
        BufferedReader stdout = process.inputReader();
        assertThat(stdout.lines().anyMatch(line -> line.contains("bash  sh test.sh")))
                .isTrue();
        await("the demo's command runs").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) == 1);
        Cli.send("INT", process);
        assertThat(Cli.finish(process).exitCode()).isEqualTo(130);
        assertThat(Cli.processesWith(seconds)).isZero();
        assertThat(temporary).isEmptyDirectory();
    }
}
