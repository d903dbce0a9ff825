package dev.paddock.executor.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.FaultyLink;
import dev.paddock.fixtures.SshServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests faults of the network and the server: C15 over a relay that stalls and cuts. */
@Tag("full")
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshFaultsTest {
    private static final int LOSS_BOUND_SECONDS = 5;
    private static final int LARGE = 16 << 20;

    /** A push or pull of the large file has begun, and is not complete, after so many bytes. */
    private static final int PART = 4 << 20;

    private static SshServer server;

    @TempDir
    Path directory;

    private FaultyLink link;
    private Path worktree;
    private Path config;
    private final String seconds = Long.toString(100_000 + System.nanoTime() % 100_000);

    @BeforeAll
    static void start() throws Exception {
        server = SshServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        link = FaultyLink.to(server.port());
        worktree = Files.createDirectories(directory.resolve("worktree"));
        config = Files.writeString(
                directory.resolve("config"),
                Files.readString(server.config()).replaceAll("Port \\d+", "Port " + link.port())
                        + "  HostKeyAlias [127.0.0.1]:" + server.port() + "\n");
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        link.close();
        awaitEndOfCommands();
    }

    private void awaitEndOfCommands() {
        Awaitility.await("no process of the commands is left")
                .atMost(Duration.ofSeconds(LOSS_BOUND_SECONDS))
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(process -> List.of(process.info().arguments().orElse(new String[0]))
                                .contains(seconds)));
    }

    private SshExecutor.Builder options() {
        return SshExecutor.builder(SshServer.HOST)
                .configFile(config)
                .connectTimeout(Duration.ofSeconds(2))
                .quarantine(directory.resolve("quarantine"));
    }

    private ProcessLike running(SshExecutor executor) throws Exception {
        ProcessLike command =
                executor.spawn("echo up; sleep " + seconds + " & setsid sleep " + seconds, SpawnOptions.in("/"));
        assertThat(command.stdout().readNBytes(3)).asString().isEqualTo("up\n");
        return command;
    }

    private static void awaitLoss(ProcessLike command) {
        assertThatThrownBy(() -> command.onExit().toCompletableFuture().get(LOSS_BOUND_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SandboxLostException.class);
    }

    private static void requireUsable(SshExecutor executor) throws Exception {
        assertThat(executor.run("echo again", RunOptions.in("/")).outText()).isEqualTo("again\n");
    }

    @Test
    void C15_cutConnectionIsLoss() throws Exception {
        try (SshExecutor executor = options().build()) {
            ProcessLike command = running(executor);
            link.cut();
            awaitLoss(command);
            awaitEndOfCommands();
            requireUsable(executor);
        }
    }

    @Test
    void C15_silentNetworkIsLoss() throws Exception {
        try (SshExecutor executor = options().build()) {
            ProcessLike command = running(executor);
            link.stall();
            awaitLoss(command);
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/")))
                    .isInstanceOf(ExecutorException.class);
            link.resume();
            requireUsable(executor);
            awaitEndOfCommands();
        }
    }

    @Test
    void C14_hostThatDoesNotAnswerIsUnavailable() throws Exception {
        link.stall();
        try (SshExecutor executor = options().build()) {
            long before = System.nanoTime();
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining(SshServer.HOST);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
            link.resume();
            requireUsable(executor);
        }
    }

    @Test
    void C14_portThatRefusesIsUnavailable() throws Exception {
        link.close();
        try (SshExecutor executor = options().build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("Connection refused");
        }
    }

    private Path large() throws Exception {
        byte[] bytes = new byte[LARGE];
        new Random(1).nextBytes(bytes);
        return Files.write(worktree.resolve("large"), bytes);
    }

    private static String sum(SshExecutor executor, String there) throws Exception {
        return executor.run("sha256sum <large", RunOptions.in(there)).outText();
    }

    private String sumHere() throws Exception {
        Process sum = new ProcessBuilder("sha256sum")
                .redirectInput(worktree.resolve("large").toFile())
                .start();
        return new String(sum.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void C15_silenceDuringPushEndsItAndLaterItIsCompleted() throws Exception {
        try (SshExecutor executor = options().worktree(worktree).build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            requireUsable(executor);
            Path large = large();
            byte[] before = Files.readAllBytes(large);
            link.stallAfter(PART);
            long begun = System.nanoTime();
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in(there)))
                    .isInstanceOf(SandboxLostException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            link.resume();
            assertThat(sum(executor, there)).isEqualTo(sumHere());
            assertThat(large).hasBinaryContent(before);
        }
    }

    /** The process that carries the files ends before anything shows that the host is lost. */
    @Test
    void C15_pushThatEndsFirstIsLossTooIfHostIsSilent() throws Exception {
        try (SshExecutor executor = options().worktree(worktree).build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            requireUsable(executor);
            Path unused = large();
            link.stallAfter(PART); // it is not complete before the host falls silent, however fast it is
            CompletableFuture<ProcessLike> spawned =
                    CompletableFuture.supplyAsync(() -> executor.spawn("true", SpawnOptions.in(there)));
            Awaitility.await("the files are on their way")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> synchronizing().findAny().isPresent());
            link.stall();
            synchronizing().forEach(ProcessHandle::destroyForcibly);
            assertThat(spawned)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(SandboxLostException.class);
            link.resume();
            requireUsable(executor); // connected again, it can remove its directory there
        }
    }

    /** Returns the programs that carry files: those of this JVM that name the program of the far side. */
    private static Stream<ProcessHandle> synchronizing() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains("'paddock-sync'"))
                        .isPresent());
    }

    @Test
    void C15_silenceDuringPullIsReportedAndLaterItIsCompleted() throws Exception {
        Files.writeString(worktree.resolve("kept"), "here\n");
        try (SshExecutor executor = options().worktree(worktree).build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            ProcessLike command = executor.spawn(
                    "read x; head -c " + LARGE + " /dev/urandom >large",
                    SpawnOptions.builder(there).stdin(SpawnOptions.Stdin.PIPE).build());
            link.stallAfter(PART);
            command.stdin().write('\n');
            CleanupReport report = command.onClosed().toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(String.join("\n", report.notices())).contains("could not all be fetched");
            assertThat(worktree.resolve("large")).doesNotExist();
            link.resume();
            String sum = sum(executor, there);
            assertThat(sumHere()).isEqualTo(sum);
            assertThat(worktree.resolve("kept")).content().isEqualTo("here\n");
        }
    }
}
