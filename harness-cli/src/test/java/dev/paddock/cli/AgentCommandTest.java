package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static dev.paddock.cli.Turns.event;
import static dev.paddock.cli.Turns.events;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.cli.demo.DemoProject;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.ScriptedModel;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code paddock agent}, as a process: its output and its exit codes. */
class AgentCommandTest extends AgentCommandCase {

    @Test
    void modelBehindItsProtocolFinishesDemosTask() throws Exception {
        DemoProject.writeTo(directory);
        try (ModelServer server = ModelServer.of(DemoProject.model())) {
            Cli.Result result = server.knownTo(cli()).run(anthropic("-p", DemoProject.PROMPT));
            assertThat(result.exitCode()).as("%s", result).isZero();
            assertThat(result.stdout()).contains("  bash  sh test.sh", "2 failed", "0 failed", "The test passes.");
            assertThat(result.stderr())
                    .contains("5 turns", "500 tokens read, 50 written", "to go on: paddock agent --resume 20");
            assertThat(result.stdout() + result.stderr()).doesNotContain("\u001b", ModelServer.SECRET);
        }
        assertThat(directory.resolve("leap.sh")).content().contains("% 400");
    }

    @Test
    void jsonIsOneEventLineInAscii() throws Exception {
        String script = script(bash("printf 'h\\303\\251llo \\033[2J'"), DONE);
        Cli.Result result = cli().run(agent("--json", "--script", script, "-p", "Say héllo"));
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).matches("[\\x20-\\x7e\n]*");
        List<JsonNode> events = events(result.stdout());
        assertThat(events)
                .extracting(event -> event.path("event").asText())
                .startsWith("session_started", "run_started")
                .containsSubsequence(
                        "turn_started", "text", "tool_started", "command_ended", "tool_ended", "turn_ended")
                .endsWith("run_ended", "session_ended");
        assertThat(event(events, "session_started").path("executor").asText()).isEqualTo("host");
        assertThat(event(events, "run_started").path("prompt").asText()).isEqualTo("Say héllo");
        assertThat(event(events, "tool_ended").path("text").asText()).isEqualTo("héllo ");
        assertThat(event(events, "run_ended").path("end").asText()).isEqualTo("completed");
        assertThat(result.stderr()).isEmpty();
    }

    @Test
    void storedSessionIsResumed() throws Exception {
        Cli.Result first = cli().run(agent("--json", "--script", script(bash("echo remembered"), DONE), "-p", "Look"));
        String session =
                event(events(first.stdout()), "session_started").path("session").asText();
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("I remember."))) {
            Cli.Result second = server.knownTo(cli()).run(anthropic("--resume", session, "-p", "And now?"));
            assertThat(second.exitCode()).as("%s", second).isZero();
            assertThat(second.stdout()).contains("I remember.");
            assertThat(server.requests().getFirst().path("messages").toString())
                    .contains("Look", "remembered", "Done.", "And now?");
        }
        Cli.Result none = cli().run(agent("--script", script(DONE), "-p", "x", "--resume", "no/such"));
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.stderr()).contains("no/such");
    }

    /** A writer of the session could send the key and the conversation to an address of its own. */
    @Test
    void sessionDoesNotChooseModelsAddress() throws Exception {
        Cli.Result first = cli().run(agent("--json", "--script", script(DONE), "-p", "Look"));
        String session =
                event(events(first.stdout()), "session_started").path("session").asText();
        Path note;
        try (Stream<Path> files = Files.walk(state)) {
            note = files.filter(file -> file.endsWith(Path.of(session, "note")))
                    .findFirst()
                    .orElseThrow();
        }
        try (ModelServer theirs = ModelServer.of((request, listener) -> AssistantTurn.saying("Thanks."))) {
            Files.writeString(note, """
                    {"model":{"provider":"anthropic","name":"m","baseUrl":"%s","keyEnv":"THEIR_CHOICE"}}
                    """.formatted(theirs.url()));
            Cli.Result resumed =
                    cli().env("THEIR_CHOICE", ModelServer.SECRET).run(agent("--resume", session, "-p", "And now?"));
            assertThat(resumed.exitCode()).as("%s", resumed).isEqualTo(2);
            assertThat(resumed.stderr()).contains("which no session keeps");
            assertThat(theirs.requests()).isEmpty();
            Cli.Result named = cli().env("THEIR_CHOICE", ModelServer.SECRET)
                    .run(agent(
                            "--resume",
                            session,
                            "-p",
                            "And now?",
                            "--base-url",
                            theirs.url(),
                            "--key-env",
                            "THEIR_CHOICE"));
            assertThat(named.exitCode()).as("%s", named).isZero();
            assertThat(theirs.requests()).hasSize(1);
        }
    }

    @Test
    void promptComesFromFileOrFromStandardInput() throws Exception {
        Path prompt = Files.writeString(state.resolve("prompt"), "From a file\nwith lines");
        Cli.Result file = cli().run(agent("--json", "--script", script(DONE), "--prompt-file", prompt.toString()));
        assertThat(event(events(file.stdout()), "run_started").path("prompt").asText())
                .isEqualTo("From a file\nwith lines");
        Cli.Result input = cli().call("From input", agent("--json", "--script", script(DONE)));
        assertThat(event(events(input.stdout()), "run_started").path("prompt").asText())
                .isEqualTo("From input");
        Cli.Result empty = cli().run(agent("--script", script(DONE)));
        assertThat(empty.exitCode()).isEqualTo(2);
        assertThat(empty.stderr()).contains("the prompt is empty");
    }

    /** A shell names the descriptor of a pipe, which no command can replace. */
    @Test
    void promptComesFromProcessSubstitution() throws Exception {
        Cli cli = cli();
        String line =
                cli.shellWords(agent("--json", "--script", script(DONE))) + " --prompt-file <(printf 'From a pipe')";
        Cli.Result result = Cli.finish(cli.builder().command("bash", "-c", line).start());
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(event(events(result.stdout()), "run_started").path("prompt").asText())
                .isEqualTo("From a pipe");
    }

    /** A command may have replaced a file in the worktree. */
    @Test
    void pipeLinkDeviceOrHugeFileIsNoPromptAndNoScript() throws Exception {
        Path pipe = state.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(state.resolve("link"), Path.of("/etc/passwd"));
        for (Path other : List.of(pipe, link, Path.of("/dev/zero"))) {
            Cli.Result prompt = cli().run(agent("--script", script(DONE), "--prompt-file", other.toString()));
            assertThat(prompt.exitCode()).as("%s", prompt).isEqualTo(2);
            assertThat(prompt.stderr()).contains("the prompt cannot be read from " + other, "give a regular file");
            Cli.Result played = cli().run(agent("--script", other.toString(), "-p", "Go"));
            assertThat(played.exitCode()).as("%s", played).isNotZero();
            assertThat(played.stderr()).contains(other.toString());
        }
        Path huge = state.resolve("huge");
        try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
            sparse.setLength(8L << 30);
        }
        Cli.Result prompt = cli().run(agent("--script", script(DONE), "--prompt-file", huge.toString()));
        assertThat(prompt.exitCode()).as("%s", prompt).isEqualTo(2);
        assertThat(prompt.stderr()).contains("has more than 1 MiB");
        assertThat(cli().run(agent("--script", huge.toString(), "-p", "Go")).stderr())
                .contains("has more than 16 MiB");
    }

    @Test
    void missingKeyIsReportedByItsVariable() throws Exception {
        Cli.Result result = cli().run(anthropic("-p", "Go"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr()).contains("ANTHROPIC_API_KEY is not set").doesNotContain("\tat ");
        Cli.Result named = cli().run(anthropic("-p", "Go", "--key-env", "MY_OWN"));
        assertThat(named.stderr()).contains("MY_OWN is not set");
    }

    @Test
    void wrongAddressAndWrongKeyAreReported() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String url = "http://localhost:" + closed;
        Cli.Result unreachable =
                cli().env("ANTHROPIC_API_KEY", ModelServer.SECRET).run(anthropic("--base-url", url, "-p", "Go"));
        assertThat(unreachable.exitCode()).isEqualTo(1);
        assertThat(unreachable.stderr())
                .contains(url, "check the base URL")
                .doesNotContain("\tat ", ModelServer.SECRET);
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("no"))) {
            Cli.Result refused = server.knownTo(cli())
                    .env("ANTHROPIC_API_KEY", "sk-of-somebody-else")
                    .env("PADDOCK_DEBUG", "1")
                    .run(anthropic("-p", "Go"));
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.stderr())
                    .contains("does not accept the key in ANTHROPIC_API_KEY")
                    .doesNotContain("sk-of-somebody-else");
            Cli.Result brief = server.knownTo(cli())
                    .env("ANTHROPIC_API_KEY", "sk-of-somebody-else")
                    .run(anthropic("-p", "Go"));
            assertThat(brief.exitCode()).isEqualTo(1);
            assertThat(brief.stderr())
                    .contains("does not accept the key in ANTHROPIC_API_KEY")
                    .doesNotContain("sk-of-somebody-else", "\tat ");
        }
        Cli.Result none = cli().env("ANTHROPIC_API_KEY", "x").run(anthropic("--base-url", "nowhere", "-p", "Go"));
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.stderr()).contains("'nowhere'");
    }

    @Test
    void exitCodeTellsHowItEnded() throws Exception {
        Cli.Result failed = cli().run(agent("--script", script(bash("true"), "{\"expect\": \"never\"}"), "-p", "Go"));
        assertThat(failed.exitCode()).isEqualTo(1);
        Cli.Result turns = cli().run(agent("--script", script(bash("true"), DONE), "-p", "Go", "--max-turns", "1"));
        assertThat(turns.exitCode()).isEqualTo(3);
        assertThat(turns.stderr()).contains("--max-turns grants more");
        Cli.Result place = cli().withoutSandboxes().run("agent", "--script", script(DONE), "-p", "Go");
        assertThat(place.exitCode()).isEqualTo(125);
        Cli.Result misuse = cli().run(agent("--provider", "anthropic", "-p", "Go"));
        assertThat(misuse.exitCode()).isEqualTo(2);
        assertThat(misuse.stderr()).contains("needs --model");
        Cli.Result unknown = cli().run(agent("--provider", "somebody", "--model", "x", "-p", "Go"));
        assertThat(unknown.stderr()).contains("anthropic, openai, ollama, openai-compatible");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--model x", "--base-url http://x", "--key-env X", "--max-tokens 5", "--model-timeout 5"})
    void scriptTakesNothingThatIsForProvider(String option) throws Exception {
        String[] words = option.split(" ", -1);
        Cli.Result refused = cli().run(agent("--script", script(DONE), "-p", "Go", words[0], words[1]));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.stderr()).contains(words[0] + " is for a model of a provider", "leave out");
    }

    @Test
    void numberOutOfRangeIsReportedByItsOption() throws Exception {
        for (String option : List.of("--max-tokens", "--max-turns")) {
            Cli.Result refused = cli().env("ANTHROPIC_API_KEY", "x").run(anthropic("-p", "Go", option, "0"));
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.stderr()).contains(option + " is 1 or more, not 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "mcp"})
    void directoryForSessionsThatCannotBeMadeIsReported(String command) throws Exception {
        Path file = Files.createFile(state.resolve("file"));
        String[] words = command.equals("mcp")
                ? new String[] {"mcp", "--executor", "host"}
                : agent("--script", script(DONE), "-p", "Go");
        Cli.Result refused = cli().env("XDG_STATE_HOME", file.toString())
                .jvm("-Djava.io.tmpdir=" + file)
                .run(words);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.stderr())
                .contains("paddock: no directory for the session can be created")
                .doesNotContain("a fault in paddock itself");
    }

    @Test
    void skillsAreOfferedAndMalformedOnesReported() throws Exception {
        Path skills = Files.createDirectories(directory.resolve("skills"));
        Files.writeString(
                Files.createDirectories(skills.resolve("release")).resolve("SKILL.md"),
                "---\nname: release\ndescription: How to release.\n---\nTag it twice.\n");
        Files.writeString(Files.createDirectories(skills.resolve("broken")).resolve("SKILL.md"), "no front matter\n");
        String script = script("{\"calls\": [{\"tool\": \"skill\", \"arguments\": {\"name\": \"release\"}}]}", DONE);
        Cli.Result lines = cli().run(agent("--script", script, "-p", "Go", "--skills", "skills"));
        assertThat(lines.exitCode()).as(lines.stderr()).isZero();
        assertThat(lines.stdout()).contains("Tag it twice.", "left out: ", "broken");
        Cli.Result json = cli().run(agent("--script", script, "-p", "Go", "--skills", "skills", "--json"));
        assertThat(event(events(json.stdout()), "session_started")
                        .path("problems")
                        .toString())
                .contains("broken");
        Cli.Result missing = cli().run(agent("--script", script, "-p", "Go", "--skills", "nowhere"));
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.stderr()).contains("nowhere").doesNotContain("\tat ");
    }

    @Test
    void webIsReadByThoseWhoAskForIt() throws Exception {
        String script = script(
                "{\"calls\": [{\"tool\": \"web_fetch\", \"arguments\": {\"url\": \"http://127.0.0.1:9/\"}}]}", DONE);
        assertThat(cli().run(agent("--script", script, "-p", "Go", "--web")).stdout())
                .contains("not a public address");
        assertThat(cli().run(agent("--script", script, "-p", "Go")).stdout())
                .contains("There is no tool named 'web_fetch'");
    }

    @Test
    void keyReachesNoCommand() throws Exception {
        try (ModelServer server = ModelServer.of(
                ScriptedModel.parse("env", "{\"turns\": [" + bash("env; echo end") + "," + DONE + "]}"))) {
            Cli.Result result = server.knownTo(cli()).run(anthropic("-p", "Go"));
            assertThat(result.stdout()).contains("PATH=", "end").doesNotContain(ModelServer.SECRET);
            Cli.Result passed = server.knownTo(cli()).run(anthropic("-p", "Go", "--pass-env", "ANTHROPIC_API_KEY!"));
            assertThat(passed.exitCode()).isEqualTo(2);
            assertThat(passed.stderr()).contains("ANTHROPIC_API_KEY would give the model's key");
            Cli.Result renamed = server.knownTo(cli()).run(anthropic("-p", "Go", "--env", "X=" + ModelServer.SECRET));
            assertThat(renamed.exitCode()).isEqualTo(2);
            assertThat(renamed.stderr()).contains("the variable X").doesNotContain(ModelServer.SECRET);
        }
    }

    @Test
    void variablesAreGivenAsExecGivesThem() throws Exception {
        String script = script(bash("echo \"$MY_TOKEN, $OTHER_TOKEN, ${PLAIN_TOKEN-none}\""), DONE);
        Cli.Result result = cli().env("MY_TOKEN", "mine")
                .env("PLAIN_TOKEN", "plain")
                .run(agent(
                        "--script",
                        script,
                        "-p",
                        "Go",
                        "--pass-env",
                        "MY_TOKEN!",
                        "--env",
                        "OTHER_TOKEN=given",
                        "--pass-env",
                        "PLAIN_TOKEN"));
        assertThat(result.stdout()).contains("mine, given, none");
        assertThat(result.stderr()).contains("write --pass-env PLAIN_TOKEN!");
    }

    @Test
    void projectsInstructionsAreReadFromWorktreeAlone() throws Exception {
        Path outside = Files.writeString(state.resolve("outside.md"), "Instructions from elsewhere.");
        Files.writeString(directory.resolve("AGENTS.md"), "Indent with tabs.\n");
        Files.createSymbolicLink(directory.resolve("CLAUDE.md"), outside);
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("Yes."))) {
            Cli.Result linked = server.knownTo(cli()).run(anthropic("-p", "Go"));
            assertThat(linked.exitCode()).as("%s", linked).isZero();
            assertThat(linked.stderr()).contains("CLAUDE.md is left out: ");
            Files.delete(directory.resolve("CLAUDE.md"));
            Files.createSymbolicLink(directory.resolve("CLAUDE.md"), Path.of("AGENTS.md"));
            Cli.Result same = server.knownTo(cli()).run(anthropic("-p", "Go"));
            assertThat(same.stderr()).doesNotContain("left out");
            assertThat(server.requests())
                    .extracting(request -> request.path("system").toString())
                    .allSatisfy(system -> assertThat(system)
                            .contains("from AGENTS.md", "Indent with tabs.")
                            .doesNotContain("elsewhere", "CLAUDE.md"));
        }
    }

    @Test
    void nothingThatOthersWriteSteersTerminal() throws Exception {
        String script = script(
                "{\"text\": \"\\u001b]0;title\\u0007 \\u202e reversed \\u009b2J\", \"calls\": [{\"tool\": \"bash\","
                        + " \"arguments\": {\"command\": \"printf 'a\\\\033[2Jb\\\\rc'\"}}]}",
                DONE);
        Cli.Result result = cli().run(agent("--script", script, "-p", "Go"));
        assertThat(result.stdout())
                .contains("^[]0;title^G", "<202E> reversed <009B>2J", "| c")
                .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u202e]");
    }
}
