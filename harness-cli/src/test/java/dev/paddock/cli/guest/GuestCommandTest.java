package dev.paddock.cli.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import dev.paddock.cli.ShellLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Guest code on the command line, in bubblewrap. */
@EnabledOnOs(OS.LINUX)
class GuestCommandTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    private Path directory;

    private Path worktree = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        Files.writeString(worktree.resolve(".env"), "NAME=open\nAPI_KEY=" + CANARY);
        Files.writeString(worktree.resolve("lib.ts"), "export const twice = (n: number): number => n * 2;\n");
        Files.writeString(worktree.resolve("main.ts"), """
                import { twice } from './lib';
                export async function run(input: { n: number } | null, { WORKSPACE, EXEC }: any) {
                  console.log('running');
                  if (input === null) throw new RangeError('no input');
                  const { stdout } = await EXEC.run('cat', ['lib.ts']);
                  await WORKSPACE.writeText('out.txt', 'written');
                  return { twice: twice(input.n), lines: stdout.split('\\n').length };
                }
                export const forever = () => { for (;;) {} };
                """);
    }

    private Cli.Result run(String... words) throws Exception {
        return Cli.in(worktree).run(words);
    }

    @Test
    void fileOfWorktreeGivesItsResultItsLogsAndItsErrors() throws Exception {
        Cli.Result result = run(
                "guest", "run", "main.ts", "--executor", "bwrap", "--allow-command", "cat", "--input", "{\"n\": 21}");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("{\"twice\":42,\"lines\":2}\n");
        assertThat(result.stderr()).contains("running");
        assertThat(result.exitCode()).isZero();
        assertThat(worktree.resolve("out.txt")).hasContent("written");

        Cli.Result thrown = run("guest", "run", "main.ts", "--executor", "bwrap");
        assertThat(thrown.exitCode()).isEqualTo(1);
        assertThat(thrown.stdout()).isEmpty();
        assertThat(thrown.stderr()).contains("RangeError: no input", "main.ts:4:", "running");

        Cli.Result late =
                run("guest", "run", "main.ts", "--executor", "bwrap", "--export", "forever", "--timeout", "500ms");
        assertThat(late.exitCode()).isEqualTo(124);
        assertThat(late.stderr()).contains("500 ms");
    }

    @Test
    void linesOfPageRun() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guest-code.md"));
        Files.writeString(worktree.resolve("count.ts"), block("ts", page));
        Files.writeString(worktree.resolve("notes.md"), "");
        Cli.Result result =
                ShellLines.in(directory.resolve("lines")).run(Cli.in(worktree), "set -e\n" + block("sh", page));
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).startsWith("[\"notes.md\"]\n").contains("\"workspaceMode\" : \"live\"");
    }

    /** Returns the first block of a page in a language. */
    private static String block(String language, String page) {
        Matcher block =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void shadowKeepsWorktreeAsItIs() throws Exception {
        Cli.Result result = run(
                "guest",
                "run",
                "main.ts",
                "--executor",
                "bwrap",
                "--allow-command",
                "cat",
                "--shadow",
                "--input",
                "{\"n\": 1}");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(worktree.resolve("out.txt")).doesNotExist();
    }

    @Test
    void mistakesAreNamed() throws Exception {
        assertThat(run("guest", "run").stderr()).contains("give run and a file");
        assertThat(run("guest", "run", "main.ts", "--input", "{").stderr()).contains("--input is no JSON");
        assertThat(run("guest", "run", "../x.ts").stderr()).contains("not in the worktree");
        assertThat(run("guest", "run", "main.ts", "--fetch", "https://a").stderr())
                .contains("--fetch", "https://a");
        assertThat(run("guest", "run", "main.ts", "--executor", "host").stderr())
                .contains("host");
        assertThat(run("container", "show").exitCode()).isEqualTo(2);
    }

    @Test
    void containerIsDescribedWithoutValues() throws Exception {
        Cli.Result result = run("container", "describe", "--allow-command", "cat");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stdout())
                .contains("\"workspaceMode\" : \"live\"", "\"NAME\"", "\"API_KEY\"", "\"hasExecPolicy\" : true")
                .doesNotContain(CANARY);
    }
}
