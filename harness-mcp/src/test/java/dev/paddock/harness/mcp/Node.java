package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs servers as third parties would write them, on the official SDK, as ./verify installs it. If
 * it is not installed, their tests are skipped, and fail in CI.
 */
final class Node {
    static final Path DIRECTORY =
            Path.of("src", "test", "node").toAbsolutePath().normalize();

    private static final int OLDEST = 18;

    private Node() {}

    static void require() throws Exception {
        boolean isThere = version() >= OLDEST && Files.isDirectory(DIRECTORY.resolve("node_modules"));
        String what = "Node " + OLDEST + " or later, and what 'npm ci' installs in " + DIRECTORY;
        if (System.getenv("CI") == null) {
            assumeTrue(isThere, "these tests take " + what);
        }
        assertThat(isThere).as(what).isTrue();
    }

    private static int version() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("node", "--version").start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? Integer.parseInt(output.replaceAll("^v|\\..*", "")) : 0;
        } catch (IOException absent) {
            return 0;
        }
    }

    /**
     * Returns the shell command that starts the server. Skips or fails the test if Node is not
     * available.
     */
    static String server() throws Exception {
        require();
        return "exec node '" + DIRECTORY.resolve("server.mjs") + "'";
    }
}
