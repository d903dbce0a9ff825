package dev.paddock.executor.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.SshServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behavior over a real sshd beyond the contract: the login, synchronized files, faults. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshExecutorTest {
    private static SshServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        server = SshServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static CommandResult run(SshExecutor executor, String command, String cwd) throws InterruptedException {
        return executor.run(command, RunOptions.in(cwd));
    }

    private SshExecutor synced(Path worktree) throws Exception {
        return SshExecutor.builder(SshServer.HOST)
                .configFile(server.config())
                .worktree(Files.createDirectories(worktree))
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    private static String there(SshExecutor executor) {
        return executor.worktree().orElseThrow().commandPath();
    }

    @Test
    void filesAreSynchronizedBothWays() throws Exception {
        Path worktree = directory.resolve("worktree");
        String remote;
        try (SshExecutor executor = synced(worktree)) {
            remote = there(executor);
            Files.writeString(worktree.resolve("in"), "from here\n");
            Files.writeString(worktree.resolve("gone"), "");
            CommandResult result =
                    run(executor, "cat in; echo from there >out; chmod 700 out; rm gone; mkdir -p a/b", remote);
            assertThat(result.outText()).isEqualTo("from here\n");
            assertThat(worktree.resolve("out")).content().isEqualTo("from there\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(worktree.resolve("out"))))
                    .isEqualTo("rwx------");
            assertThat(worktree.resolve("gone")).doesNotExist();
            assertThat(worktree.resolve("a/b")).isDirectory();
            Files.writeString(worktree.resolve("in"), "changed here\n");
            assertThat(run(executor, "cat in out", remote).outText()).isEqualTo("changed here\nfrom there\n");
        }
        assertThat(Path.of(remote).getParent())
                .as("the remote directory after disposal")
                .doesNotExist();
    }

    @Tag("full")
    @Test
    void sizesAndDepthsThatCommandChoosesAreBounded() throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("worktree"));
        try (SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                .configFile(server.config())
                .worktree(worktree)
                .maxFetch(1 << 20)
                .build()) {
            assertThat(executor.copiesFiles()).isTrue();

            CommandResult result = run(
                    executor,
                    "truncate -s 3G holes; head -c 2000000 /dev/urandom >large; echo small >small;"
                            + " mkdir -p $(printf 'd/%.0s' $(seq 1500))",
                    there(executor));

            assertThat(result.cleanup().orElseThrow().notices())
                    .hasSize(2)
                    .anyMatch(notice -> notice.contains("'large' has 2000000 bytes"))
                    .anyMatch(notice -> notice.contains("more than 256 directories deep") && notice.length() < 400);
            assertThat(worktree.resolve("small")).content().isEqualTo("small\n");
            assertThat(worktree.resolve("large")).doesNotExist();
            assertThat(worktree.resolve("holes")).hasSize(3L << 30);
            assertThat(blocks(worktree.resolve("holes"))).isLessThan(1000);
            assertThat(worktree.resolve("d/".repeat(256))).isEmptyDirectory();
        }
    }

    @Test
    void hooksThatRepositoryNamesAreNeitherFetchedNorWrittenByFileTools() throws Exception {
        Path worktree = directory.resolve("worktree");
        for (List<String> git : List.of(List.of("init", "-q"), List.of("config", "core.hooksPath", "hooks"))) {
            List<String> line = new ArrayList<>(
                    List.of("git", "-C", Files.createDirectories(worktree).toString()));
            line.addAll(git);
            assertThat(new ProcessBuilder(line).start().waitFor()).isZero();
        }
        try (SshExecutor executor = synced(worktree)) {
            CommandResult result = run(
                    executor, "mkdir hooks other; echo x >hooks/pre-commit; echo x >other/pre-commit", there(executor));

            assertThat(result.cleanup().orElseThrow().notices()).anyMatch(notice -> notice.contains("hooks"));
            assertThat(worktree.resolve("hooks/pre-commit")).doesNotExist();
            assertThat(worktree.resolve("other/pre-commit")).exists();
            assertThat(executor.isKept(worktree.toRealPath().resolve("hooks/pre-commit")))
                    .isTrue();
            assertThat(executor.isKept(worktree.toRealPath().resolve("other/pre-commit")))
                    .isFalse();
        }
    }

    @Test
    void fetchThatExceedsItsLimitIsReportedInResult() throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("worktree"));
        Path copy;
        try (SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                .configFile(server.config())
                .worktree(worktree)
                .fetchTimeout(Duration.ofNanos(1))
                .build()) {
            copy = Path.of(there(executor));
            CommandResult result = run(executor, "echo made >made", there(executor));

            assertThat(result.cleanup().orElseThrow().notices())
                    .singleElement()
                    .asString()
                    .contains("could not all be fetched", "the limit fetchTimeout", "fetched with the next command");
        }
        assertThat(copy.resolve("made")).as("what was never fetched").hasContent("made\n");
        assertThat(new ProcessBuilder("rm", "-r", copy.resolve("..").normalize().toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    private static long blocks(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    @Tag("full")
    @Test
    void changesAtProtectedPathsAreNotFetched() throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("repository"));
        assertThat(new ProcessBuilder("git", "init", "-q", worktree.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        try (SshExecutor executor = synced(worktree)) {
            CommandResult result = run(
                    executor,
                    "echo plant >.git/hooks/pre-commit; mkdir .vscode; echo plant >.vscode/tasks.json; echo work >file",
                    there(executor));
            assertThat(worktree.resolve("file")).content().isEqualTo("work\n");
            assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
            assertThat(worktree.resolve(".vscode")).doesNotExist();
            assertThat(String.join("\n", result.cleanup().orElseThrow().notices()))
                    .contains(".git/hooks/pre-commit", ".vscode/tasks.json");
            assertThat(run(executor, "ls -d .vscode .git/hooks/pre-commit", there(executor))
                            .outText())
                    .as("what is left there")
                    .isEmpty();
        }
    }

    @Test
    void unknownHostKeyIsRefusedWithoutQuestion() throws Exception {
        Path config = directory.resolve("config");
        Files.writeString(
                config,
                Files.readString(server.config())
                                .replaceAll("UserKnownHostsFile .*", "UserKnownHostsFile " + directory.resolve("none"))
                        + "  StrictHostKeyChecking accept-new\n");
        try (SshExecutor executor =
                SshExecutor.builder(SshServer.HOST).configFile(config).build()) {
            assertThatThrownBy(() -> run(executor, "true", "/"))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("Host key verification failed")
                    .hasMessageContaining("connect once by hand");
        }
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @Test
    void keyThatDoesNotExistIsErrorBeforeConnection() {
        SshExecutor.Builder builder =
                SshExecutor.builder(SshServer.HOST).configFile(server.config()).identity(directory.resolve("no-key"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-key does not exist");
    }

    @Test
    void worktreeThatDoesNotExistIsNamed() {
        SshExecutor.Builder builder = SshExecutor.builder(SshServer.HOST).worktree(directory.resolve("absent"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("the worktree '" + directory.resolve("absent") + "' cannot be used");
    }

    @Test
    void remoteDirectoryWithoutWorktreeIsRefused() {
        SshExecutor.Builder builder = SshExecutor.builder(SshServer.HOST).remoteDirectory("/work");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give worktree");
    }

    @Test
    void keyThatHostDoesNotAcceptIsErrorThatNamesRemedy() throws Exception {
        try (SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                .configFile(server.config())
                .identity(server.strangersKey())
                .configFile(withoutIdentity())
                .build()) {
            assertThatThrownBy(() -> run(executor, "true", "/"))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("Permission denied")
                    .hasMessageContaining("ssh-agent");
        }
    }

    private Path withoutIdentity() throws Exception {
        Path config = directory.resolve("config");
        return Files.writeString(config, Files.readString(server.config()).replaceAll("IdentityFile .*", ""));
    }

    @Test
    void outputOfStartUpFileBelongsToNoCommand() throws Exception {
        try (SshServer noisy = SshServer.start(
                        "ForceCommand sh -c 'echo noise; echo noise >&2; exec sh -c \"$SSH_ORIGINAL_COMMAND\"'");
                SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                        .configFile(noisy.config())
                        .build()) {
            CommandResult result = run(executor, "echo out; echo err >&2", "/");
            assertThat(result.outText()).isEqualTo("out\n");
            assertThat(result.errText()).isEqualTo("err\n");
        }
    }

    @Test
    void moreCommandsThanSessionsRunAtOnce() throws Exception {
        try (SshServer narrow = SshServer.start("MaxSessions 3");
                SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                        .configFile(narrow.config())
                        .build()) {
            List<ProcessLike> commands = new ArrayList<>();
            for (int index = 0; index < 5; index++) {
                commands.add(executor.spawn("echo up; read x", piped()));
            }
            for (ProcessLike command : commands) {
                assertThat(firstLine(command)).isEqualTo("up");
            }
            for (ProcessLike command : commands) {
                command.stdin().close();
                command.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static SpawnOptions piped() {
        return SpawnOptions.builder("/").stdin(SpawnOptions.Stdin.PIPE).build();
    }

    private static String firstLine(ProcessLike command) throws Exception {
        return new BufferedReader(new InputStreamReader(command.stdout(), StandardCharsets.UTF_8)).readLine();
    }

    /** C15: the server is killed; its commands end, and a new server serves the same executor. */
    @Test
    void killedServerIsLossAndNothingSurvivesIt() throws Exception {
        try (SshServer own = SshServer.start();
                SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                        .configFile(own.config())
                        .build()) {
            String seconds = Long.toString(100_000 + System.nanoTime() % 100_000);
            ProcessLike command = executor.spawn("echo up; sleep " + seconds + " & setsid sleep " + seconds, piped());
            assertThat(firstLine(command)).isEqualTo("up");
            own.kill();
            assertThatThrownBy(() -> command.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SandboxLostException.class);
            Awaitility.await("no process of the command is left")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ProcessHandle.allProcesses()
                            .noneMatch(process -> List.of(
                                            process.info().arguments().orElse(new String[0]))
                                    .contains(seconds)));
            own.restart();
            assertThat(run(executor, "echo again", "/").outText()).isEqualTo("again\n");
        }
    }
}
