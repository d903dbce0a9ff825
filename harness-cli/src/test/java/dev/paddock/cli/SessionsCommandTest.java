package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock sessions}, and {@code paddock agent --resume}, as processes. */
@Tag("full")
class SessionsCommandTest extends AgentCommandCase {
    private static final int MISUSED = 2;

    @TempDir
    private Path terminal;

    private Path sessions() {
        return state.resolve("paddock/sessions");
    }

    /** Runs a session, and returns its id. */
    private String session(String prompt, String... turns) throws Exception {
        Cli.Result result = cli().run(agent("--json", "--script", script(turns), "-p", prompt));
        assertThat(result.exitCode()).as("%s", result).isZero();
        String path = Turns.event(Turns.events(result.stdout()), "session_started")
                .path("session")
                .asText();
        return String.valueOf(Path.of(path).getFileName());
    }

    /** Sets how long ago a session was used. */
    private void age(String id, Duration age) throws IOException {
        Files.setLastModifiedTime(
                sessions().resolve(id).resolve("messages.jsonl"),
                FileTime.from(Instant.now().minus(age)));
    }

    private List<String> ids() throws IOException {
        try (Stream<Path> all = Files.list(sessions())) {
            return all.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }

    @Test
    void sessionsAreListedLastUsedFirst() throws Exception {
        assertThat(cli().run("sessions", "list").stderr()).contains("there are no sessions yet");
        String first = session("The first prompt\nwith more", DONE);
        String second = session("The second prompt", DONE);
        age(first, Duration.ofDays(3));
        Cli.Result list = cli().run("sessions", "list");
        assertThat(list.stdout().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(second + "  ").contains("The second prompt"),
                        line -> assertThat(line)
                                .startsWith(first + "  ")
                                .contains("The first prompt with more", "(" + directory.toRealPath() + ")"));
        List<JsonNode> json =
                Turns.events(cli().run("sessions", "list", "--json").stdout());
        assertThat(json).hasSize(2);
        assertThat(json.getFirst().path("id").asText()).isEqualTo(second);
        assertThat(json.getLast().path("prompt").asText()).isEqualTo("The first prompt\nwith more");
    }

    @Test
    void sessionIsShownAndExported() throws Exception {
        String id = session("Look <here>", bash("echo known output"), DONE);
        Cli.Result shown = cli().run("sessions", "show", id.substring(0, 17));
        assertThat(shown.exitCode()).as("%s", shown).isZero();
        assertThat(shown.stdout())
                .contains(
                        "session " + id,
                        "> Look <here>\n",
                        "  bash  echo known output\n",
                        "    known output\n",
                        "Done.\n");

        Cli.Result page = cli().run("sessions", "export", "last");
        assertThat(page.stdout()).startsWith("<!doctype html>").contains("Look &lt;here&gt;", "known output");
        Path file = directory.resolve("page.html");
        Cli.Result written = cli().run("sessions", "export", id, "--output", "page.html");
        assertThat(written.stdout()).isEqualTo("wrote " + file + "\n");
        assertThat(file).hasContent(page.stdout());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Cli.Result again = cli().run("sessions", "export", id, "--output", "page.html");
        assertThat(again.exitCode()).isEqualTo(MISUSED);
        assertThat(again.stderr()).contains(file + " exists already; name another file");
    }

    /** A command has made the link or the pipe in the worktree: neither is followed, nor waited for. */
    @Test
    void exportIsNewFileOrNone() throws Exception {
        String id = session("Export this", DONE);
        Path victim = Files.writeString(terminal.resolve("victim"), "precious");
        Files.createSymbolicLink(directory.resolve("link.html"), victim);
        Files.createSymbolicLink(directory.resolve("dangling.html"), terminal.resolve("new"));
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe.html").toString())
                        .start()
                        .waitFor())
                .isZero();
        for (String name : List.of("link.html", "dangling.html", "pipe.html")) {
            Cli.Result refused = cli().run("sessions", "export", id, "--output", name);
            assertThat(refused.exitCode()).isEqualTo(MISUSED);
            assertThat(refused.stderr()).contains(name + " exists already");
        }
        assertThat(victim).hasContent("precious");
        assertThat(terminal.resolve("new")).doesNotExist();
    }

    @Test
    void sessionsAreRemovedByNameAndByAge() throws Exception {
        String one = session("one", DONE);
        String two = session("two", DONE);
        String three = session("three", DONE);
        Cli.Result none = cli().run("sessions", "rm", one, "unknown");
        assertThat(none.exitCode()).isEqualTo(MISUSED);
        assertThat(ids()).as("nothing is removed before all are found").contains(one);
        assertThat(cli().run("sessions", "rm", one).stdout()).isEqualTo("removed " + one + "\n");
        age(two, Duration.ofDays(40));
        assertThat(cli().run("sessions", "rm", "--unused-for", "30").stdout()).isEqualTo("removed " + two + "\n");
        assertThat(ids()).containsExactly(three);
        assertThat(cli().run("sessions", "rm", "--unused-for", "30").stdout()).isEqualTo("nothing to remove\n");
    }

    @Test
    void mistakesAreOneLine() throws Exception {
        String id = session("one", DONE);
        for (String[] mistake : new String[][] {
            {"sessions", "give one of list, show, export, rm"},
            {"sessions lst", "give one of list, show, export, rm, not 'lst'"},
            {"sessions show", "'sessions show' takes one session"},
            {"sessions show x" + id, "did you mean " + id + "?"},
            {"sessions show ./absent", "there is no session in"},
            {"sessions rm", "name the sessions to remove, or give --unused-for DAYS"},
            {"sessions rm --unused-for soon", "--unused-for is a whole number such as 256, not 'soon'"},
            {"sessions list --output x", "--output is for another action: export"},
            {"agent --resume absent -p Go", "there is no session 'absent'"},
            {"agent --resume " + id + " -p Go", "there is no model to ask: give --provider and --model"},
            {"agent --resume " + id + " --session x -p Go", "give one of them"},
        }) {
            Cli.Result result = cli().run(mistake[0].split(" "));
            assertThat(result.stderr()).startsWith("paddock: ").hasLineCount(1).contains(mistake[1]);
            assertThat(result.exitCode()).as(mistake[0]).isEqualTo(MISUSED);
        }
    }

    @Test
    void sessionGoesOnWithItsModelAndWithoutAnyOptionOfIt() throws Exception {
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("I remember."))) {
            assertThat(server.knownTo(cli())
                            .run(anthropic("-p", "Remember this"))
                            .exitCode())
                    .isZero();
            String id = ids().getFirst();
            assertThat(sessions().resolve(id).resolve("note"))
                    .content()
                    .contains("\"test-model\"")
                    .doesNotContain(ModelServer.SECRET);
            Cli.Result last = server.knownTo(cli()).run(agent("--resume", "-p", "And now?"));
            assertThat(last.exitCode()).as("%s", last).isZero();
            assertThat(last.stderr()).contains("to go on: paddock agent --resume " + id);
            Cli.Result named =
                    server.knownTo(cli()).run(agent("--resume", id, "--model", "another-model", "-p", "And then?"));
            assertThat(named.exitCode()).as("%s", named).isZero();
            assertThat(server.requests())
                    .extracting(request -> request.path("model").asText())
                    .containsExactly("test-model", "test-model", "another-model");
            assertThat(server.requests().getLast().path("messages").toString())
                    .contains("Remember this", "And now?", "And then?");
            assertThat(ids()).containsExactly(id);
        }
    }

    @Test
    void sessionOfAnotherWorktreeIsNotTakenForThisOne() throws Exception {
        String id = session("one", DONE);
        Path other = Files.createDirectory(state.resolve("other"));
        String[] words = agent("--script", script(DONE), "-p", "Go");
        Cli elsewhere = Cli.in(other).env("XDG_STATE_HOME", state.toString());
        Cli.Result last = elsewhere.run(with(words, "--resume", "last"));
        assertThat(last.exitCode()).isEqualTo(MISUSED);
        assertThat(last.stderr()).contains("there is no session of '" + other.toRealPath() + "' yet");
        Cli.Result named = elsewhere.run(with(words, "--resume", id));
        assertThat(named.exitCode()).isEqualTo(MISUSED);
        assertThat(named.stderr()).contains("worked in '" + directory.toRealPath() + "'", "--worktree .");
        assertThat(elsewhere.run(with(words, "--resume", id, "--worktree", ".")).exitCode())
                .isZero();
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void atTerminalSessionIsPicked() throws Exception {
        String old = session("The older one", DONE);
        session("The newer one", DONE);
        age(old, Duration.ofDays(1));
        try (ModelServer server = ModelServer.of(ScriptedModel.parse("answers", "{\"turns\": [" + DONE + "]}"));
                Tmux tmux = Tmux.start(server.knownTo(cli()), terminal, 80, 40, with(anthropic(), "--resume"))) {
            String list = tmux.awaitText("go on with which one? 1 to 2, Enter for 1:");
            assertThat(list).containsSubsequence("  1  ", "The newer one", "  2  ", "The older one");
            tmux.type("7");
            tmux.press("Enter");
            tmux.awaitText("Enter for 1: 7\n");
            tmux.type("2");
            tmux.press("Enter");
            tmux.awaitIdle();
            tmux.type("Go on");
            tmux.press("Enter");
            tmux.awaitText("Done.");
            tmux.awaitIdle();
            assertThat(server.requests().getFirst().path("messages").toString()).contains("The older one");
            tmux.press("C-d");
            assertThat(tmux.awaitExit(0).replace("\n", "")).contains("--resume " + old);
        }
    }
}
