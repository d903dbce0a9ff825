package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code paddock acp} with the client of the protocol's authors, which checks each message. */
@Tag("full")
class AcpClientTest extends AgentCommandCase {
    private static final String MODULE = "harness-acp";
    private static final int OLDEST = 20;

    private static String call(String tool, String arguments) {
        return "{" + callAfter(tool, arguments) + "}";
    }

    private static String callAfter(String tool, String arguments) {
        return "\"text\": \"I call it. \", \"calls\": [{\"tool\": \"" + tool + "\", \"arguments\": {" + arguments
                + "}}]";
    }

    @Test
    void wholeChangeWithApprovalRefusalCancelAndResumedSession() throws Exception {
        Node.require(MODULE, OLDEST);
        McpBackend.BWRAP.require();
        Path worktree = directory.toRealPath();
        Files.writeString(worktree.resolve("a.txt"), "one\ntwo\n");
        Files.writeString(worktree.resolve("b.txt"), "saved\n");
        String script = script(
                call("read", "\"path\": \"b.txt\""),
                "{\"expect\": \"2\\tnot saved\", "
                        + callAfter("edit", "\"path\": \"a.txt\", \"old_string\": \"two\", \"new_string\": \"2\"")
                        + "}",
                call("bash", "\"command\": \"touch refused\""),
                "{\"expect\": \"the user has refused\", \"text\": \"Done.\"}",
                call("bash", "\"command\": \"touch runs; until [ -e go ]; do sleep 0.05; done\""));
        List<String> words = new ArrayList<>(List.of(worktree.toString()));
        words.addAll(cli().words("acp", "--executor", "bwrap", "--script", script));
        ProcessBuilder editor = Node.program(MODULE, "client.mjs", words);
        editor.environment().put("XDG_STATE_HOME", state.toString());
        Cli.Result result = Cli.finish(editor.start());
        assertThat(result.exitCode()).as("%s", result).isZero();

        JsonNode told = new ObjectMapper().readTree(result.stdout());
        assertThat(told.path("stops")).extracting(JsonNode::asText).containsExactly("end_turn", "cancelled");
        assertThat(told.path("questions"))
                .extracting(JsonNode::asText)
                .containsExactly("Edit `a.txt`", "`touch refused`");
        assertThat(told.path("kinds"))
                .extracting(JsonNode::asText)
                .containsExactly("read", "edit", "execute", "execute");
        assertThat(told.path("buffers"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        worktree.resolve("b.txt").toString(),
                        worktree.resolve("a.txt").toString());
        assertThat(told.path("diffs"))
                .extracting(JsonNode::asText)
                .containsExactly(worktree.resolve("a.txt").toString());
        assertThat(told.path("said").asText()).contains("Commands run in a sandbox", "Done.");
        assertThat(told.path("exit").asInt(-1)).as("%s", result).isZero();
        assertThat(told.path("secondExit").asInt(-1)).as("%s", result).isZero();
        assertThat(told.path("replayed").asInt()).isEqualTo(2);
        assertThat(worktree.resolve("a.txt")).hasContent("one\n2\n");
        assertThat(worktree.resolve("refused")).doesNotExist();
    }

    @Test
    void modesPlanThoughtsSilenceResumeAndDeath() throws Exception {
        Node.require(MODULE, OLDEST);
        McpBackend.BWRAP.require();
        Path worktree = directory.toRealPath();
        String seconds = "300." + (1_000_000 + new SecureRandom().nextInt(1_000_000));
        String script = script(
                "{\"thought\": \"First the file.\", " + callAfter("write", "\"path\": \"a.txt\", \"content\": \"a\"")
                        + "}",
                call("bash", "\"command\": \"sleep " + seconds + "\", \"run_in_background\": true"),
                "{\"text\": \"Done.\"}",
                call("bash", "\"command\": \"touch never\""),
                call("bash", "\"command\": \"touch all\""),
                "{\"text\": \"Done.\"}");
        List<String> words = new ArrayList<>(List.of(worktree.toString()));
        words.addAll(cli().words("acp", "--executor", "bwrap", "--script", script));
        ProcessBuilder editor = Node.program(MODULE, "lifecycle.mjs", words);
        editor.environment().put("XDG_STATE_HOME", state.toString());
        Cli.Result result = Cli.finish(editor.start());
        assertThat(result.exitCode()).as("%s", result).isZero();

        JsonNode told = new ObjectMapper().readTree(result.stdout());
        assertThat(told.path("version").asInt()).isEqualTo(1);
        assertThat(told.path("modes")).extracting(JsonNode::asText).containsExactly("ask", "edits", "all");
        assertThat(told.path("stops"))
                .extracting(JsonNode::asText)
                .containsExactly("end_turn", "cancelled", "end_turn", "end_turn");
        String shell = "`sleep " + seconds + "`";
        assertThat(told.path("questions"))
                .extracting(JsonNode::asText)
                .as("the mode edits asks about commands, all about nothing, and a resumed session begins with ask")
                .containsExactly(shell, "`touch never`", "Write `a.txt`", shell);
        assertThat(told.path("thoughts").asText()).isEqualTo("First the file.".repeat(2));
        assertThat(told.path("plan"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.asText())
                        .startsWith("in_progress bash_")
                        .contains(seconds));
        assertThat(told.path("second").asInt()).isEqualTo(-32600);
        assertThat(told.path("unknownMode").asInt()).isEqualTo(-32602);
        assertThat(told.path("resumed")).isEmpty();
        assertThat(told.path("exit").asInt(-1)).as("%s", result).isZero();
        assertThat(Cli.processesWith(seconds)).isZero();
        assertThat(worktree.resolve("a.txt")).hasContent("a");
        assertThat(worktree.resolve("never")).doesNotExist();
        assertThat(worktree.resolve("all")).exists();
    }
}
