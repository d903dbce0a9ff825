package dev.paddock.executor.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.RunOptions;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.fixtures.SshServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a killed JVM leaves on a host, and who removes it. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledJvmTest {
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

    /** Starts a session in another JVM, kills it, and returns the directory that it has left. */
    private Path killed() throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("theirs"));
        Files.writeString(worktree.resolve("file"), "content\n");
        String seconds = Long.toString(100_000 + System.nanoTime() % 100_000);
        String classPath =
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", "");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        SessionMain.class.getName(),
                        server.config().toString(),
                        worktree.toString(),
                        "sleep " + seconds)
                .redirectError(directory.resolve("messages").toFile())
                .start();
        try {
            String there =
                    new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8)).readLine();
            assertThat(there)
                    .as(() -> "the session's directory there: " + messages())
                    .startsWith("/tmp/paddock-");
            assertThat(Path.of(there, "file")).exists();
            jvm.destroyForcibly().waitFor();
            Awaitility.await("the command of the killed JVM has ended")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ProcessHandle.allProcesses()
                            .noneMatch(process -> List.of(
                                            process.info().arguments().orElse(new String[0]))
                                    .contains(seconds)));
            return Path.of(there).resolveSibling("");
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    private String messages() {
        try {
            return Files.readString(directory.resolve("messages"));
        } catch (Exception none) {
            return none.toString();
        }
    }

    private SshExecutor live() throws Exception {
        return SshExecutor.builder(SshServer.HOST)
                .configFile(server.config())
                .worktree(Files.createDirectories(directory.resolve("ours")))
                .build();
    }

    private static Path directoryOf(SshExecutor executor) throws Exception {
        String there = executor.worktree().orElseThrow().commandPath();
        assertThat(executor.run("pwd", RunOptions.in(there)).outText()).isEqualTo(there + "\n");
        return Path.of(there).resolveSibling("");
    }

    @Tag("full")
    @Test
    void sweepRemovesDirectoryOfKilledJvmAlone() throws Exception {
        Path left;
        Path ours;
        try (SshExecutor live = live()) {
            ours = directoryOf(live);
            left = killed();
            assertThat(new SshProvider().sweep(SweepMode.DRY_RUN))
                    .anyMatch(line -> line.startsWith("would remove") && line.contains(left.toString()));
            assertThat(left).as("after a dry run").isDirectory();
            assertThat(new SshProvider().sweep(SweepMode.REMOVE))
                    .anyMatch(line -> line.startsWith("removed") && line.contains(left.toString()));
            assertThat(left).doesNotExist();
            assertThat(ours).as("the directory of a live session").isDirectory();
            assertThat(directoryOf(live)).isEqualTo(ours);
        }
        assertThat(ours).doesNotExist();
        assertThat(new SshProvider().sweep(SweepMode.DRY_RUN))
                .noneMatch(line -> line.contains(left.toString()) || line.contains(ours.toString()));
    }

    @Test
    void nextExecutorRemovesDirectoryOfKilledOne() throws Exception {
        Path left = killed();
        try (SshExecutor next = live()) {
            Path ours = directoryOf(next);
            Awaitility.await("the directory of the killed JVM is removed")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !Files.exists(left));
            assertThat(ours).isDirectory();
        }
    }

    @Tag("full")
    @Test
    void hostThatDoesNotAnswerKeepsItsRecord() throws Exception {
        Path left;
        try (SshServer gone = SshServer.start()) {
            SshServer before = server;
            server = gone;
            try {
                left = killed();
                gone.kill();
                assertThat(new SshProvider().sweep(SweepMode.REMOVE))
                        .anyMatch(line -> line.startsWith("could not remove") && line.contains(left.toString()));
                assertThat(left).isDirectory();
                gone.restart();
                assertThat(new SshProvider().sweep(SweepMode.REMOVE))
                        .anyMatch(line -> line.startsWith("removed") && line.contains(left.toString()));
                assertThat(left).doesNotExist();
            } finally {
                server = before;
            }
        }
    }
}
