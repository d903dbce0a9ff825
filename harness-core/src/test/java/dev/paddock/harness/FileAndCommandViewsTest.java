package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that file tools use the worktree's host path and commands its path in the sandbox, and that
 * both see the same files.
 */
@Tag("full")
class FileAndCommandViewsTest extends BackendTest {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final int EDITS = 12;
    private static final int SWAPS = 16;

    private static ToolCall call(String tool, String... arguments) {
        Json node = Json.object();
        for (int i = 0; i < arguments.length; i += 2) {
            node = node.with(arguments[i], arguments[i + 1]);
        }
        return new ToolCall("call-" + CALLS.incrementAndGet(), tool, node);
    }

    private String commandSide(String path) {
        return backend.mapping(worktree).commandPath() + "/" + path;
    }

    /** Calls a tool of the session as its loop would. */
    private static ToolResult use(AgentSession session, String tool, String... arguments) {
        Tool found = session.tools().stream()
                .filter(one -> one.name().equals(tool))
                .findFirst()
                .orElseThrow();
        return found.execute(call(tool, arguments), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return AbortSignal.never();
            }

            @Override
            public void update(String textSoFar) {}
        });
    }

    private static String output(AgentSession session, String command) {
        ToolResult result = use(session, "bash", "command", command);
        assertThat(result.isError()).as("%s: %s", command, result.text()).isFalse();
        return result.text();
    }

    @Test
    void pathInEitherFormReachesFile() throws IOException {
        AgentSession session = open(builder(script("")));
        output(session, "mkdir src && echo made inside > src/inside");
        Files.writeString(worktree.resolve("src/outside"), "made outside\n");
        for (String form : List.of("src/", worktree + "/src/", commandSide("src/"))) {
            assertThat(use(session, "read", "path", form + "inside").text())
                    .as(form)
                    .isEqualTo("     1\tmade inside");
            assertThat(use(session, "read", "path", form + "outside").text())
                    .as(form)
                    .isEqualTo("     1\tmade outside");
            assertThat(use(session, "write", "path", form + "written", "content", form)
                            .isError())
                    .isFalse();
            assertThat(output(session, "cat src/written " + commandSide("src/outside")))
                    .isEqualTo(form + "made outside\n");
        }
        assertThat(use(session, "find", "glob", "**/inside").text()).isEqualTo("src/inside");
    }

    @Test
    void promptDescribesCommandAndFileSideTruthfully() {
        AtomicReference<String> prompt = new AtomicReference<>("");
        AgentSession session = open(builder((request, listener) -> {
            prompt.set(request.systemPrompt());
            return AssistantTurn.saying("Done.");
        }));
        session.prompt("Go");
        String inside = output(session, "pwd").strip();
        assertThat(inside).isEqualTo(commandSide("").replaceFirst("/$", ""));
        assertThat(session.tools().getFirst().description()).contains("in " + inside + ", ");
        assertThat(prompt.get()).contains(inside);
        assertThat(prompt.get()).contains(worktree.toString());
        String missing = use(session, "read", "path", worktree + "/missing").text();
        assertThat(missing).contains(commandSide("missing"));
        assertThat(output(session, "echo there > " + commandSide("missing")))
                .as("the path of the error, given to a command")
                .isEqualTo("(no output)");
        assertThat(worktree.resolve("missing")).hasContent("there");
    }

    @Test
    void linkPlantedByCommandLeadsNoFileToolOutside() throws IOException {
        Path outside = Files.createDirectory(home.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret"), "TOPSECRET\n");
        AgentSession session = open(builder(script("")));
        output(
                session,
                ("mkdir deep && ln -s OUT/secret file && ln -s OUT dir && ln -s ../outside/secret relative"
                                + " && ln -s ../../outside deep/up && ln -s OUT/made dangling && ln -s OUT .worktrees"
                                + " && ln -s / root && echo fine > real && ln -s real inside")
                        .replace("OUT", outside.toString()));
        for (String path :
                List.of("file", "dir", "dir/secret", "relative", "deep/up/secret", "dangling", "root" + secret)) {
            for (String tool : List.of("read", "write", "edit", "ls", "grep", "find")) {
                ToolResult result = use(
                        session,
                        tool,
                        "path",
                        path,
                        "content",
                        "evil",
                        "old_string",
                        "SECRET",
                        "new_string",
                        "evil",
                        "pattern",
                        ".",
                        "glob",
                        "*");
                assertThat(result.isError())
                        .as("%s %s: %s", tool, path, result.text())
                        .isTrue();
                assertThat(result.text()).contains("outside the worktree").doesNotContain("TOPSECRET");
            }
        }
        assertThat(use(session, "grep", "pattern", "SECRET").text()).doesNotContain("TOPSECRET");
        assertThat(use(session, "read", "path", "inside").text()).isEqualTo("     1\tfine");
        assertThat(secret).hasContent("TOPSECRET");
        assertThat(outside).isDirectoryNotContaining(path -> !path.equals(secret));
    }

    @Test
    void swapDuringCallLeadsNoFileToolOutside() throws Exception {
        Path outside = Files.createDirectory(home.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("f"), "TOPSECRET\n");
        Files.createDirectory(worktree.resolve("real"));
        Files.writeString(worktree.resolve("real/f"), "INSIDE\n");
        Files.createSymbolicLink(worktree.resolve("swap"), Path.of("real"));
        AgentSession session = open(builder(script("")));
        CompletableFuture<String> swapping = CompletableFuture.supplyAsync(() -> output(
                session,
                "i=0; while [ $i -lt " + SWAPS + " ]; do ln -s " + outside + " t; mv -T t swap;"
                        + " ln -s real t; mv -T t swap; i=$((i + 1)); done; echo swapped"));
        List<String> reported = new ArrayList<>();
        while (!swapping.isDone()) {
            reported.add(use(session, "read", "path", "swap/f").text());
            reported.add(use(session, "grep", "pattern", "S.*E", "path", "swap").text());
            reported.add(use(session, "ls", "path", "swap").text());
            reported.add(use(session, "write", "path", "swap/w", "content", "x").text());
            reported.add(use(session, "edit", "path", "swap/f", "old_string", "TOPS", "new_string", "x")
                    .text());
        }
        assertThat(swapping.get(60, TimeUnit.SECONDS)).endsWith("swapped\n");
        assertThat(reported).isNotEmpty().noneMatch(text -> text.contains("TOPSECRET"));
        assertThat(secret).hasContent("TOPSECRET");
        assertThat(outside).isDirectoryNotContaining(path -> !path.equals(secret));
        assertThat(use(session, "read", "path", "swap/f").text())
                .as("the control")
                .isEqualTo("     1\tINSIDE");
    }

    @Test
    void sandboxReadsEachHostEditWithoutStaleByte() {
        AtomicInteger turns = new AtomicInteger();
        List<String> stale = new ArrayList<>();
        AgentSession session = open(builder((request, listener) -> {
                    int turn = turns.getAndIncrement();
                    int edit = turn / 2;
                    if (turn > 0 && turn % 2 == 0) {
                        String read = ((Message.ToolResults) request.messages().getLast())
                                .results()
                                .getFirst()
                                .text();
                        if (!read.equals(content(edit - 1))) {
                            stale.add("after edit " + (edit - 1) + ": " + read);
                        }
                    }
                    if (edit == EDITS) {
                        return AssistantTurn.saying("Done.");
                    }
                    return AssistantTurn.calling("", turn % 2 == 0 ? edit(edit) : call("bash", "command", "cat file"));
                })
                .maxTurns(2 * EDITS + 1)
                .commandTimeout(Duration.ofSeconds(30)));
        RunOutcome outcome = session.prompt("Go");
        assertThat(outcome.failure()).isEmpty();
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.COMPLETED);
        assertThat(results(session)).hasSize(2 * EDITS).noneMatch(Message.ToolOutcome::isError);
        assertThat(stale).isEmpty();
    }

    /**
     * Returns a call that rewrites the whole file or, for odd numbers, replaces one word in it:
     * both times a new file of the same length takes its place.
     */
    private static ToolCall edit(int number) {
        return number % 2 == 0
                ? call("write", "path", "file", "content", content(number))
                : call("edit", "path", "file", "old_string", word(number - 1), "new_string", word(number));
    }

    private static String content(int number) {
        return "begin\n" + word(number) + "\nend\n";
    }

    private static String word(int number) {
        return "edit-" + (1000 + number);
    }
}
