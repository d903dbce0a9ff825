package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.demo.DemoProject;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages' lines for a shell run, in a directory whose test passes. */
class PageLinesTest {
    private static final List<Path> PAGES = pages("cli", "granting", "cookbook");

    /** Their lines differ from those of the others in options alone. */
    private static final List<Path> FURTHER_PAGES =
            pages("getting-started", "network", "npm", "python", "jvm", "go", "rust", "containers");

    /** Matches the command of a line that builds a project, or needs the network. */
    private static final Pattern BUILD = Pattern.compile(
            "(?<= -- )(?:make|mvn|npm|git|gradle|go|cargo|sh|curl|psql|\\.venv/bin/python) .*|make test|\\./run-tests");

    /** Matches a file of a release, in blocks that ReleaseTest runs. */
    private static final Pattern OF_RELEASE = Pattern.compile("paddock[-_]");

    private static final Pattern IMAGE = Pattern.compile("(?<=--image )\\S+");

    private static final boolean HAS_SANDBOX =
            Cli.in(Path.of("").toAbsolutePath()).call("", "doctor").exitCode() == 0;

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    @BeforeEach
    void writeProject() throws IOException {
        DemoProject.writeTo(directory);
    }

    private static List<Path> pages(String... names) {
        return Stream.of(names).map(name -> Path.of("..", "docs", name + ".md")).toList();
    }

    private static Stream<String> linesOf(List<Path> pages) throws IOException {
        return Pages.blocks("sh", pages).stream()
                .filter(block -> !OF_RELEASE.matcher(block).find())
                .map(block -> block.replace("\\\n", ""))
                .flatMap(String::lines)
                .map(line -> line.replaceFirst("\\s+#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .map(line -> line.replaceFirst("^paddock ", "./paddock "));
    }

    static Stream<String> lines() throws IOException {
        return linesOf(PAGES);
    }

    static Stream<String> furtherLines() throws IOException {
        return linesOf(FURTHER_PAGES);
    }

    @Test
    void pagesHaveLines() throws IOException {
        assertThat(lines()).hasSizeGreaterThan(10);
        assertThat(furtherLines()).hasSizeGreaterThan(15);
    }

    @ParameterizedTest
    @MethodSource("lines")
    void linesRun(String line) throws Exception {
        run(line);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("furtherLines")
    void furtherLinesRun(String line) throws Exception {
        if (line.contains("--image ")) {
            McpBackend.DOCKER.require();
        }
        String onFreePort = line.replace("--publish 3000 ", "--publish :3000 ");
        run(IMAGE.matcher(onFreePort).replaceFirst("paddock-test/busybox"));
    }

    /** Calls the program with the words that a shell makes of a line. */
    private void run(String line) throws Exception {
        assertThat(line).as("a line that this test knows how to run").startsWith("./paddock ");
        if (line.contains("--allow ") || line.contains("--publish ")) {
            McpBackend.BWRAP.require();
        }
        Path home = Pages.makeHome(state);
        Path agent = state.resolve("agent");
        String words = line.substring("./paddock".length());
        String rest = BUILD.matcher(words).replaceFirst("echo tested"); // needs no build tool and no network
        Cli.Result result;
        try (ModelServer server = ModelServer.of(DemoProject.model());
                ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(agent));
            ProcessBuilder shell =
                    new ProcessBuilder("sh", "-c", "printf '%s\\0'" + rest).directory(directory.toFile());
            shell.environment().put("HOME", home.toString());
            shell.environment().put("SSH_AUTH_SOCK", agent.toString());
            String parsed = Cli.finish(shell.start()).stdout();
            result = server.knownTo(Cli.in(directory))
                    .env("XDG_STATE_HOME", state.toString())
                    .env("HOME", home.toString())
                    .env("SSH_AUTH_SOCK", agent.toString())
                    .run(parsed.split("\0"));
        }
        // Limits are refused where this machine has no means for them.
        assumeTrue(!line.contains("--memory") || result.exitCode() != 125, result.stderr());
        int withoutSandbox = line.matches("./paddock (exec (?!--executor host).*|agent .*|mcp .*)")
                ? 125
                : line.equals("./paddock doctor") ? 1 : 0;
        int expected = HAS_SANDBOX ? 0 : withoutSandbox;
        assertThat(result.exitCode()).as("%s", result).isEqualTo(expected);
        if (line.startsWith("./paddock agent") && expected == 0) {
            assertThat(directory.resolve("leap.sh")).content().contains("400");
        }
        if (!rest.equals(words) && expected == 0) {
            assertThat(result.stdout()).isEqualTo("tested\n");
        }
    }
}
