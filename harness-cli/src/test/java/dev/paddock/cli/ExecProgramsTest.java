package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs for people, under {@code paddock exec} as a user starts them: the tests read the screen,
 * which tmux keeps. Each sandbox has the tests in which the terminal's session matters, and one all of them.
 */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class ExecProgramsTest {
    private static final int COLUMNS = 90;
    private static final int ROWS = 24;

    @TempDir
    private Path directory;

    @TempDir
    private Path worktree;

    @BeforeAll
    static void requirePrograms() {
        List<String> missing = Stream.of("tmux", "vim", "less", "python3", "git", "top", "bash")
                .filter(program -> !isInstalled(program))
                .toList();
        if (System.getenv("CI") == null) {
            assumeTrue(missing.isEmpty(), "not installed: " + missing);
        }
        assertThat(missing).as("programs that are not installed").isEmpty();
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private Tmux start(McpBackend place, String... command) throws Exception {
        place.require();
        String[] options = place == McpBackend.DOCKER
                ? new String[] {"exec", "--image", "paddock-test/busybox", "-t", "--"}
                : new String[] {"exec", "--executor", place.executor(), "--"};
        String[] line = Stream.of(options, command).flatMap(Arrays::stream).toArray(String[]::new);
        return Tmux.start(Cli.in(worktree), directory, COLUMNS, ROWS, line);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(worktree.resolve(name), content);
    }

    private static String numbered(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> "line " + number + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void vimEditsFileAndFollowsSize() throws Exception {
        file("text", numbered(1, 60));
        try (Tmux tmux = start(McpBackend.BWRAP, "vim", "-u", "NONE", "-i", "NONE", "-n", "text")) {
            assertThat(tmux.awaitText("line 1\nline 2\n")).contains("line 23\n").doesNotContain("line 24\n");
            tmux.resize(70, 30);
            assertThat(tmux.awaitText("line 29\n")).doesNotContain("line 30\n");
            tmux.type("iwritten here, ");
            tmux.press("Escape");
            tmux.type(":set columns? lines?");
            tmux.press("Enter");
            tmux.awaitText("columns=70\n");
            tmux.press("Enter");
            tmux.type(":wq");
            tmux.press("Enter");
            tmux.awaitExit(0);
        }
        assertThat(worktree.resolve("text")).hasContent("written here, " + numbered(1, 60));
    }

    @Test
    void lessShowsPagesOfSize() throws Exception {
        file("text", numbered(1, 100));
        try (Tmux tmux = start(McpBackend.BWRAP, "less", "text")) {
            assertThat(tmux.awaitText("line 23\n")).startsWith("line 1\n").doesNotContain("line 24\n");
            tmux.type("/line 50");
            tmux.press("Enter");
            tmux.awaitText("line 50\nline 51\n");
            tmux.resize(70, 40);
            tmux.awaitText("line 88\n:");
            tmux.type("G");
            assertThat(tmux.awaitText("line 100\n(END)")).startsWith("line 62\n");
            tmux.type("q");
            tmux.awaitExit(0);
        }
    }

    @Test
    void pythonIsInteractiveUntilEndOfInput() throws Exception {
        try (Tmux tmux = start(McpBackend.BWRAP, "env", "HOME=" + worktree, "PATH=/usr/bin:/bin", "python3", "-q")) {
            tmux.awaitText(">>>");
            tmux.type("6 * 7");
            tmux.press("Enter");
            tmux.awaitText("\n42\n>>>");
            tmux.type("import os; os.get_terminal_size()");
            tmux.press("Enter");
            tmux.awaitText("terminal_size(columns=" + COLUMNS + ", lines=" + ROWS + ")\n>>>");
            tmux.press("Up", "Up", "Enter"); // the history of lines: keys arrive whole
            tmux.awaitText("\n>>> 6 * 7\n42\n>>>");
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    private void git(String... words) throws Exception {
        String[] line = Stream.concat(Stream.of("git"), Arrays.stream(words)).toArray(String[]::new);
        assertThat(new ProcessBuilder(line)
                        .directory(worktree.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void gitStagesPartOfFile() throws Exception {
        file("text", numbered(1, 40));
        git("init", "-q");
        git("add", "text");
        git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "first");
        file("text", "early\n" + numbered(1, 40) + "late\n");
        try (Tmux tmux = start(McpBackend.BWRAP, "git", "add", "-p")) {
            tmux.awaitText("+early");
            tmux.awaitText("Stage this hunk");
            tmux.type("y");
            tmux.press("Enter");
            tmux.awaitText("+late");
            tmux.type("n");
            tmux.press("Enter");
            tmux.awaitExit(0);
        }
        git("checkout", "-q", "--", "text"); // to what is staged
        assertThat(worktree.resolve("text")).hasContent("early\n" + numbered(1, 40));
    }

    @Test
    void topRefreshesUntilItIsQuit() throws Exception {
        try (Tmux tmux = start(McpBackend.BWRAP, "top")) {
            tmux.awaitText("COMMAND");
            tmux.type("c"); // shows command lines
            tmux.awaitText("top -");
            tmux.press("q");
            tmux.awaitExit(0);
        }
    }

    @ParameterizedTest
    @EnumSource(value = McpBackend.class, names = "DOCKER", mode = EnumSource.Mode.EXCLUDE)
    void shellStopsAndContinuesItsJobs(McpBackend place) throws Exception {
        try (Tmux tmux = start(place, "env", "PS1=here: ", "bash", "--norc")) {
            tmux.awaitText("here:");
            tmux.type("sh -c 'echo begun; read a; echo got $a'");
            tmux.press("Enter");
            tmux.awaitText("\nbegun\n");
            tmux.press("C-z");
            tmux.awaitText("Stopped");
            tmux.type("fg");
            tmux.press("Enter");
            tmux.awaitText("fg\n");
            tmux.type("it");
            tmux.press("Enter");
            tmux.awaitText("\ngot it\n");
            tmux.type("exit 3");
            tmux.press("Enter");
            tmux.awaitExit(3);
        }
    }

    @ParameterizedTest
    @EnumSource(value = McpBackend.class, names = "DOCKER", mode = EnumSource.Mode.EXCLUDE)
    void keyDoesNotStopCommandItself(McpBackend place) throws Exception {
        try (Tmux tmux = start(place, "sh", "-c", "echo ready; read a; echo got $a; cat")) {
            tmux.awaitText("ready\n");
            tmux.press("C-z");
            tmux.type("this");
            tmux.press("Enter");
            tmux.awaitText("got this\n");
            tmux.press("C-z");
            tmux.type("that");
            tmux.press("Enter");
            tmux.awaitText("that\nthat\n");
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    /** The process that collects the command's orphans is in its session, as a shell would be. */
    @Test
    void keyStopsCommandInContainerAndSignalEndsIt() throws Exception {
        try (Tmux tmux = start(McpBackend.DOCKER, "sh", "-c", "echo ready; read a; echo got $a")) {
            tmux.awaitText("ready\n");
            String container = McpBackend.containers(worktree);
            tmux.press("C-z");
            Awaitility.await("the command is stopped")
                    .atMost(Cli.PATIENCE)
                    .until(
                            () -> DockerClient.run("top", container, "-eo", "pid,stat,args"),
                            found -> found.lines().anyMatch(line -> line.matches(" *\\d+ +T.*echo ready.*")));
            assertThat(tmux.program().destroy()).isTrue();
            tmux.awaitExit(143);
        }
    }

    @Test
    void fullScreenProgramsWorkInContainer() throws Exception {
        file("text", numbered(1, 60));
        try (Tmux tmux = start(McpBackend.DOCKER, "sh", "-c", "vi text; exec less text")) {
            assertThat(tmux.awaitText("line 1\nline 2\n")).contains("line 23\n").doesNotContain("line 24\n");
            tmux.type("iwritten here, ");
            tmux.press("Escape");
            tmux.awaitText("written here, line 1\n");
            tmux.resize(70, 30);
            tmux.type(":wq");
            tmux.press("Enter");
            assertThat(tmux.awaitText("line 29\n"))
                    .as("less, at the new size")
                    .startsWith("written here, line 1\n")
                    .doesNotContain("line 30\n");
            tmux.type("q");
            tmux.awaitExit(0);
        }
        assertThat(worktree.resolve("text")).hasContent("written here, " + numbered(1, 60));
    }
}
