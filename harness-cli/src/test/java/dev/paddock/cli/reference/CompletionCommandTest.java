package dev.paddock.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shells themselves complete, by the programs that {@code paddock completion} prints. */
class CompletionCommandTest {
    private static final String COMMANDS =
            "exec workspace guest container demo setup mcp agent acp sessions config doctor audit gc version completion man";

    @TempDir
    private static Path scripts;

    @TempDir
    private Path directory;

    @BeforeAll
    static void writeScripts() throws Exception {
        for (String shell : List.of("bash", "zsh", "fish")) {
            Cli.Result result = Cli.in(scripts).run("completion", shell);
            assertThat(result.stderr()).isEmpty();
            Files.writeString(scripts.resolve(shell), result.stdout());
        }
    }

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createDirectory(directory.resolve("sources"));
        Files.createFile(directory.resolve("script.json"));
    }

    /** The words end in the one to complete; a word of {@code ''} is empty. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ex                                | exec
                    ''                                | %s --help --version
                    exec --ex                         | --executor --exec-cwd
                    exec --executor ''                | auto host bwrap landlock seatbelt docker kubernetes ssh
                    exec --executor = b               | bwrap
                    exec --executor =                 | auto host bwrap landlock seatbelt docker kubernetes ssh
                    exec --network o                  | off open
                    exec --env A = B --net            | --network
                    exec --env A = --net              | -
                    mcp --worktree s                  | sources
                    agent --script s                  | script.json sources
                    agent --provider open             | openai openai-compatible
                    agent --timeout                   | -
                    exec --timeout 5 -- tru           | true truncate
                    exec cat s                        | script.json sources
                    completion ''                     | bash zsh fish
                    completion bash ''                | -
                    setup c                           | claude codex cursor
                    setup claude --u                  | --undo --user
                    workspace s                       | shell snapshot snapshots
                    workspace open --k                | --kind
                    workspace open --kind local-b     | local-bash
                    doctor --j                        | --json
                    nothing --                        | -
                    """)
    void bashCompletes(String line, String candidates) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("bash", "-c", """
                PATH=/usr/bin:/bin
                . "$0"
                COMP_WORDS=(paddock "$@") COMP_CWORD=$#
                _paddock
                printf '%s\\n' "${COMPREPLY[@]}"
                """, scripts.resolve("bash").toString()));
        for (String word : line.split(" +", -1)) {
            words.add(word.equals("''") ? "" : word);
        }
        String expected = candidates.replace("%s", COMMANDS);
        assertThat(run(words).stdout().lines())
                .containsExactlyInAnyOrder(expected.equals("-") ? new String[] {""} : expected.split(" ", -1));
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ex                     | exec
                    exec --execu           | --executor
                    exec --executor b      | bwrap
                    exec --executor=b      | --executor=bwrap
                    exec --network o       | off open
                    mcp --worktree s       | sources/
                    agent --script scr     | script.json
                    completion z           | zsh
                    exec -- unlin          | unlink
                    exec unlin             | unlink
                    """)
    void fishCompletes(String line, String candidates) throws Exception {
        requireShell("fish");
        Cli.Result result = run(List.of(
                "fish",
                "--no-config",
                "-c",
                "source " + scripts.resolve("fish") + "; complete -C 'paddock " + line + "'"));
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout().lines().map(each -> each.replaceFirst("\t.*", "")))
                .containsExactlyInAnyOrder(candidates.split(" ", -1));
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ex                     | exec
                    exec --execu           | --executor
                    exec --executor b      | bwrap
                    exec --executor=b      | bwrap
                    exec --network o       | off open
                    mcp --worktree s       | sources
                    agent --script scr     | script.json
                    completion z           | zsh
                    exec -- unlin          | unlink
                    exec unlin             | unlink
                    """)
    void zshCompletes(String line, String candidates) throws Exception {
        requireShell("zsh");
        Path capture = Path.of("src/test/sh/zsh-completions.zsh").toAbsolutePath();
        Cli.Result result = run(
                List.of("zsh", "-f", capture.toString(), scripts.resolve("zsh").toString(), "paddock " + line));
        assertThat(result.stdout().lines()).containsExactlyInAnyOrder(candidates.split(" ", -1));
    }

    /** As a package installs it: a file that zsh loads when it first completes. */
    @Tag("full")
    @Test
    void zshLoadsFunctionByItsName() throws Exception {
        requireShell("zsh");
        Files.copy(scripts.resolve("zsh"), directory.resolve("_paddock"));
        Cli.Result result = run(List.of(
                "zsh", "-f", "-c", "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; echo $_comps[paddock]"));
        assertThat(result).isEqualTo(new Cli.Result(0, "_paddock\n", ""));
    }

    @Test
    void anotherShellIsRefused() throws Exception {
        Cli.Result result = Cli.in(directory).run("completion", "tcsh");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr()).contains("no completion for 'tcsh', only for bash, zsh, fish");
    }

    /** Skips the test if the shell is not installed; in CI it fails. */
    private static void requireShell(String name) {
        boolean isThere = List.of(System.getenv("PATH").split(":", -1)).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, name)));
        assumeTrue(isThere || System.getenv("CI") != null, "this test takes " + name);
        assertThat(isThere).as(name + " is installed").isTrue();
    }

    private Cli.Result run(List<String> words) throws Exception {
        return Cli.finish(
                new ProcessBuilder(words).directory(directory.toFile()).start());
    }
}
