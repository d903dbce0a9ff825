package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs third-party programs for Node, which ./verify installs. Where they are missing, their tests
 * are skipped; in CI they fail.
 */
public final class Node {
    private static final String MCP = "harness-mcp";

    private Node() {}

    private static Path directory(String module) {
        return Path.of("..", module, "src", "test", "node").toAbsolutePath().normalize();
    }

    /**
     * Skips the test, or fails it in CI, unless there is a Node of at least this version and its
     * packages are installed.
     */
    public static void require(int version) throws Exception {
        require(MCP, version);
    }

    /** Does so for the packages of another module. */
    static void require(String module, int version) throws Exception {
        Path directory = directory(module);
        boolean isThere = version() >= version && Files.isDirectory(directory.resolve("node_modules"));
        String what = "Node " + version + " or later, and what 'npm ci' installs in " + directory;
        if (System.getenv("CI") == null) {
            assumeTrue(isThere, "these tests take " + what);
        }
        assertThat(isThere).as(what).isTrue();
    }

    private static int version() throws Exception {
        try {
            Process process = new ProcessBuilder("node", "--version").start();
            String output = Cli.text(process.getInputStream()).strip();
            return process.waitFor(Cli.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    ? Integer.parseInt(output.replaceAll("^v|\\..*", ""))
                    : 0;
        } catch (IOException absent) {
            return 0;
        }
    }

    /** Returns a builder for a program in the directory of the packages. */
    public static ProcessBuilder program(String script, List<String> arguments) {
        return program(MCP, script, arguments);
    }

    static ProcessBuilder program(String module, String script, List<String> arguments) {
        List<String> words = new ArrayList<>(
                List.of("node", directory(module).resolve(script).toString()));
        words.addAll(arguments);
        return new ProcessBuilder(words);
    }
}
