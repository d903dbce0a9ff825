package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an engine that listens on TCP, encrypted or not; the environment names it, as it does for
 * the docker command.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteEngineTest {
    /** Too large to fit into any buffer between the client and the command. */
    private static final String INPUT = "0123456789abcdef".repeat(100_000);

    private static final String RESULT = INPUT.length() + "\nseen the end\nExited[code=3]\n";

    /** In the engine's own network namespace every port is free. */
    private static final String ADDRESS = "tcp://127.0.0.1:2375";

    @TempDir
    Path directory;

    private String run(OwnEngine engine, Map<String, String> environment) throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("worktree"));
        ProcessBuilder builder = new ProcessBuilder(engine.besides(ChildJvm.line(
                RunInContainer.class, TestEngine.BUSYBOX, worktree.toString(), "wc -c; echo seen the end; exit 3")));
        builder.environment().keySet().removeIf(name -> name.startsWith("DOCKER_"));
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        Thread.ofVirtual().start(() -> feed(process));
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    private static void feed(Process process) {
        try (OutputStream input = process.getOutputStream()) {
            input.write(INPUT.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            // The program has exited without a command to read this; the test checks its output.
        }
    }

    private static Map<String, String> withKeys(Path keys) {
        return Map.of("DOCKER_HOST", ADDRESS, "DOCKER_TLS_VERIFY", "1", "DOCKER_CERT_PATH", keys.toString());
    }

    @Test
    void plainTcp() throws Exception {
        try (OwnEngine engine = OwnEngine.start("--host=" + ADDRESS)) {
            engine.copy(TestEngine.BUSYBOX);
            assertThat(run(engine, Map.of("DOCKER_HOST", ADDRESS))).endsWith(RESULT);
            assertThat(engine.containers()).isEmpty();
        }
    }

    @Test
    void tlsWithCertificatesOnBothSidesAndNoOtherAuthority() throws Exception {
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Path others = Files.createDirectory(directory.resolve("others"));
        Certificates.write(ours);
        Certificates.write(others);
        try (OwnEngine engine = OwnEngine.start(
                "--host=" + ADDRESS,
                "--tlsverify",
                "--tlscacert=" + ours.resolve("ca.pem"),
                "--tlscert=" + ours.resolve("server-cert.pem"),
                "--tlskey=" + ours.resolve("server-key.pem"))) {
            engine.copy(TestEngine.BUSYBOX);
            assertThat(run(engine, withKeys(ours))).endsWith(RESULT);
            assertThat(run(engine, withKeys(others)))
                    .contains("SandboxUnavailableException", "DOCKER_CERT_PATH")
                    .doesNotContain("seen the end");
            assertThat(engine.containers()).isEmpty();
        }
    }
}
