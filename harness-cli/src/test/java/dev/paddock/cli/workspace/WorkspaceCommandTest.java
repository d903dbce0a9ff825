package dev.paddock.cli.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import dev.paddock.cli.ShellLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock workspace}, as a process. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class WorkspaceCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private Path state;
    private Path project;

    @BeforeEach
    void makeProject() throws IOException {
        directory = directory.toRealPath();
        state = directory.resolve("state");
        project = Files.createDirectory(directory.resolve("project"));
        Files.createDirectory(project.resolve("src"));
        Files.writeString(project.resolve("src/main"), "old\n");
    }

    private Cli cli() {
        return Cli.in(project).env("XDG_STATE_HOME", state.toString());
    }

    private Cli.Result run(String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = "workspace";
        System.arraycopy(words, 0, all, 1, words.length);
        return cli().run(all);
    }

    /** Runs an action that succeeds; returns its output without the line's end. */
    private String out(String... words) throws Exception {
        Cli.Result result = run(words);
        assertThat(result.exitCode()).as("%s: %s", List.of(words), result).isZero();
        return result.stdout().strip();
    }

    private JsonNode json(String... words) throws Exception {
        String output = out(words);
        assertThat(output).matches("[\\x20-\\x7e]*");
        return JSON.readTree(output);
    }

    private Path files(String id) {
        return state.resolve("paddock/workspaces").resolve(id).resolve("files");
    }

    private String open() throws Exception {
        return out("open", "--kind", "local-bash", "--copy", ".");
    }

    @Test
    void commandsRunInWorkspacesSandbox() throws Exception {
        String id = out("open", "--copy", ".");
        assertThat(id).matches("[0-9a-v]{26}");
        Cli.Result written = run("exec", id, "-n", "--env", "WHAT=new", "--", "sh", "-c", "echo $WHAT > src/main");
        assertThat(written.exitCode()).as("%s", written).isZero();
        assertThat(files(id).resolve("src/main")).hasContent("new");
        assertThat(project.resolve("src/main")).as("the original").hasContent("old");

        Cli.Result blocked =
                run("exec", id, "-n", "touch", project.resolve("src/outside").toString());
        assertThat(blocked.exitCode()).as("%s", blocked).isNotZero();
        assertThat(project.resolve("src/outside")).doesNotExist();
        assertThat(run("exec", id.substring(0, 12), "-n", "-c", "exit 7").exitCode())
                .as("the beginning of an id is enough, and the exit code is the command's")
                .isEqualTo(7);
        assertThat(run("exec", id, "-n", "--timeout", "0.2", "sleep", "600").exitCode())
                .isEqualTo(124);
        Process shell = cli().start("workspace", "shell", id);
        shell.getOutputStream().write("cat src/main\nexit 3\n".getBytes(StandardCharsets.UTF_8));
        Cli.Result asked = Cli.finish(shell);
        assertThat(asked.stdout()).as("%s", asked).isEqualTo("new\n");
        assertThat(asked.exitCode()).isEqualTo(3);
        out("close", id);
    }

    @Test
    void filesAreKeptComparedAndBroughtBack() throws Exception {
        String id = open();
        String first = out("snapshot", id, "--label", "first");
        Files.writeString(files(id).resolve("src/main"), "new\n");
        Files.writeString(files(id).resolve("more"), "more\n");
        assertThat(out("diff", id).lines()).containsExactly("added     more", "modified  src/main");
        assertThat(out("diff", id, first.substring(0, 12)).lines()).hasSize(2);
        String second = out("snapshot", id);
        assertThat(out("diff", id, second, first).lines()).containsExactly("deleted   more", "modified  src/main");
        assertThat(out("snapshots", id).lines())
                .as("the comparisons have left none")
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(first).endsWith("first"),
                        line -> assertThat(line).startsWith(second));

        String restored = out("restore", id, first);
        assertThat(restored).isNotEqualTo(id);
        assertThat(files(restored).resolve("src/main")).hasContent("old");
        assertThat(files(id).resolve("src/main")).hasContent("new");
        String branch = out("branch", id);
        assertThat(files(branch).resolve("more")).hasContent("more");

        Cli.Result back = run("restore", id, first, "--in-place");
        assertThat(back.exitCode()).as("%s", back).isZero();
        assertThat(files(id).resolve("src/main")).hasContent("old");
        assertThat(files(id).resolve("more")).doesNotExist();
        Matcher kept = Pattern.compile("as they were are the snapshot (\\S+)").matcher(back.stderr());
        assertThat(kept.find()).as(back.stderr()).isTrue();
        assertThat(out("restore", id, kept.group(1), "--in-place")).isEmpty();
        assertThat(files(id).resolve("more")).hasContent("more");
        for (String one : List.of(id, restored, branch)) {
            out("close", one);
        }
        assertThat(out("list")).isEmpty();
        assertThat(state.resolve("paddock/workspaces")).isEmptyDirectory();
    }

    @Test
    void eachResultCanBeJson() throws Exception {
        JsonNode opened = json("open", "--kind", "local-bash", "--json");
        String id = opened.path("id").asText();
        assertThat(opened.path("kind").asText()).isEqualTo("local-bash");
        assertThat(opened.path("files").asText()).isEqualTo(files(id).toString());
        assertThat(JSON.readTree(opened.path("reference").asText())
                        .path("payload")
                        .path("id")
                        .asText())
                .isEqualTo(id);
        Files.writeString(files(id).resolve("h\u00e9llo"), "1");
        JsonNode snapshot = json("snapshot", id, "--label", "l\u00e4bel", "--json");
        assertThat(snapshot.path("label").asText()).isEqualTo("l\u00e4bel");
        assertThat(snapshot.path("files").asLong()).isEqualTo(1);
        assertThat(json("snapshots", id, "--json").get(0)).isEqualTo(snapshot);
        Files.writeString(files(id).resolve("h\u00e9llo"), "2");
        JsonNode change = json("diff", id, "--json").get(0);
        assertThat(change.path("change").asText()).isEqualTo("modified");
        String at = snapshot.path("id").asText();
        String restored = json("restore", id, at, "--json").path("id").asText();
        assertThat(json("restore", id, at, "--in-place", "--json").has("replaced"))
                .isTrue();
        String branch = json("branch", id, "--json").path("id").asText();
        assertThat(json("list", "--json"))
                .extracting(one -> one.path("id").asText())
                .containsExactlyInAnyOrder(id, restored, branch);
        assertThat(json("gc", "--unused", "1", "--dry-run", "--json")).isEmpty();
        assertThat(json("close", branch, "--json").path("closed").asText()).isEqualTo(branch);
    }

    @Test
    void gcRemovesWhatNobodyHasUsed() throws Exception {
        String old = open();
        String young = open();
        Path use = files(old).resolveSibling("use");
        Files.setLastModifiedTime(use, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
        assertThat(out("gc", "--unused", "2", "--dry-run")).isEqualTo(old);
        assertThat(files(old)).exists();
        assertThat(out("gc", "--unused", "2")).isEqualTo(old);
        assertThat(files(old)).doesNotExist();
        assertThat(out("list")).startsWith(young);
        assertThat(run("gc").stderr()).contains("--unused DAYS");
    }

    @Test
    void wrongIdIsMetWithNearest() throws Exception {
        Cli.Result none = run("close", "abc");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.stderr()).contains("there is no workspace 'abc', since there are none yet", "workspace open");
        assertThat(out("list")).isEmpty();

        String id = open();
        String typo = id.substring(0, 25) + (id.endsWith("a") ? "b" : "a");
        Cli.Result wrong = run("snapshot", typo);
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.stderr()).contains("there is no workspace '" + typo + "'; did you mean " + id + "?");
        String other = open();
        Cli.Result both = run("close", "");
        assertThat(both.stderr()).contains("there is no workspace ''");
        assertThat(files(other)).exists();
        assertThat(run("restore", id, "20").stderr())
                .contains("there is no snapshot '20', since the workspace has none yet");
        String snapshot = out("snapshot", id);
        assertThat(run("restore", id, snapshot + "0").stderr()).contains("did you mean " + snapshot + "?");
        assertThat(run("restore", id).stderr()).contains("name a snapshot, too");
        assertThat(run("diff", other).stderr()).contains("has no snapshot to compare with");
        assertThat(run("opne").stderr()).contains("there is no 'workspace opne'; did you mean 'open'?");
        assertThat(run().stderr()).contains("give one of open, list, exec");
        assertThat(run("open", "--kind", "docker").stderr()).contains("needs --image");
        assertThat(run("open", "--copy", "absent").stderr()).contains("there is no such directory");
        assertThat(run("exec", id).stderr()).contains("there is no command to run");
    }

    /** A tampered directory is refused by name, and no stack trace is shown. */
    @Test
    void workspaceThatIsNotItsOwnIsRefused() throws Exception {
        String id = open();
        Files.writeString(files(id).resolveSibling("workspace.json"), "{}");
        Cli.Result refused = run("exec", id, "-n", "true");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.stderr()).doesNotContain("\tat ");
    }

    @Test
    void workspaceIsNeitherCopiedNorClosedWhileCommandRuns() throws Exception {
        String id = open();
        Process running = cli().start("workspace", "exec", id, "sh", "-c", "echo ready; cat");
        try {
            assertThat(running.inputReader().readLine()).isEqualTo("ready");
            Cli.Result snapshot = run("snapshot", id);
            assertThat(snapshot.exitCode()).isEqualTo(125);
            assertThat(snapshot.stderr()).contains("commands run in the workspace");
            assertThat(run("close", id).stderr()).contains("the workspace is open elsewhere");
        } finally {
            assertThat(Cli.finish(running).exitCode()).isZero();
        }
        out("snapshot", id);
        out("close", id);
    }

    /** The lines of the document, in order, in one shell. */
    @Test
    void walkThroughOfDocumentsRuns() throws Exception {
        Matcher block = Pattern.compile("(?ms)^```sh\\n(id=.*?)^```$")
                .matcher(Files.readString(Path.of("..", "docs", "workspaces.md")));
        assertThat(block.find()).isTrue();
        String script = "set -e\n" + block.group(1).replaceAll("(?m)^paddock agent .*$", "");
        Cli.Result result = ShellLines.in(directory.resolve("lines")).run(cli(), script);
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout().toLowerCase(Locale.ROOT))
                .contains("deleted   src", "modified  notes.md", "local-sandbox");
        assertThat(state.resolve("paddock/workspaces")).isEmptyDirectory();
    }
}
