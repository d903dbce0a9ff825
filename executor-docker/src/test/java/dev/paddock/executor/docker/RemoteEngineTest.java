package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
        ProcessBuilder builder = new ProcessBuilder(engine.besides(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RunInContainer.class.getName(),
                TestEngine.BUSYBOX,
                worktree.toString(),
                "wc -c; echo seen the end; exit 3")));
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

    private String runThrough(Map<String, String> environment, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--host=" + ADDRESS);
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("DOCKER_HOST", ADDRESS);
        try (OwnEngine engine = OwnEngine.start(all.toArray(String[]::new))) {
            engine.copy(TestEngine.BUSYBOX);
            String said = run(engine, variables);
            assertThat(engine.containers()).isEmpty();
            return said;
        }
    }

    @Test
    void plainTcp() throws Exception {
        assertThat(runThrough(Map.of())).endsWith(RESULT);
    }

    @Test
    void tlsWithCertificatesOnBothSides() throws Exception {
        Path keys = Files.createDirectory(directory.resolve("keys"));
        Certificates.write(keys);
        String[] options = {
            "--tlsverify",
            "--tlscacert=" + keys.resolve("ca.pem"),
            "--tlscert=" + keys.resolve("server-cert.pem"),
            "--tlskey=" + keys.resolve("server-key.pem")
        };
        Map<String, String> environment = Map.of("DOCKER_TLS_VERIFY", "1", "DOCKER_CERT_PATH", keys.toString());
        assertThat(runThrough(environment, options)).endsWith(RESULT);
    }

    @Test
    void anEngineOfAnotherAuthorityIsRefused() throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Certificates.write(theirs);
        Certificates.write(ours);
        Map<String, String> environment = Map.of("DOCKER_TLS_VERIFY", "1", "DOCKER_CERT_PATH", ours.toString());
        assertThat(runThrough(
                        environment,
                        "--tlsverify",
                        "--tlscacert=" + theirs.resolve("ca.pem"),
                        "--tlscert=" + theirs.resolve("server-cert.pem"),
                        "--tlskey=" + theirs.resolve("server-key.pem")))
                .contains("SandboxUnavailableException", "DOCKER_CERT_PATH")
                .doesNotContain("seen the end");
    }
}
