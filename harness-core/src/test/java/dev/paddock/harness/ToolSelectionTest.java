package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.LoopTest.TestTool;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.ToolSpecification;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests which tools a session has. Sources in this JVM stand in for MCP servers and skills. */
class ToolSelectionTest extends SessionTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    private static Tool tool(String name) {
        return new TestTool(name, (call, context) -> ToolResult.ok("from " + name));
    }

    private StandInSource server(String... tools) {
        return new StandInSource(
                "stand-in server",
                List.of(tools).stream().map(ToolSelectionTest::tool).toList(),
                "Of the server.",
                done::add);
    }

    private StandInSource skills() {
        return new StandInSource("stand-in skills", List.of(tool("skill")), "Skills: knitting.", done::add);
    }

    private AgentSessionBuilder builder() {
        return builder(script("{'text': 'Done.'}"));
    }

    private AgentSessionBuilder builder(ToolSelection.Builder tools) {
        return builder().tools(tools.build());
    }

    private static ToolSelection.Builder selection() {
        return ToolSelection.builder();
    }

    private List<String> defaults() {
        try (AgentSession session =
                builder().sessionDirectory(home.resolve("defaults")).build()) {
            return names(session);
        }
    }

    private static List<String> names(AgentSession session) {
        return session.tools().stream().map(Tool::name).toList();
    }

    private static List<String> and(List<String> names, String... more) {
        List<String> all = new ArrayList<>(names);
        all.addAll(List.of(more));
        return all;
    }

    @Test
    void everyToolNamesItsExecutionSite() {
        AgentSession session = open(builder().addTool(tool("mine")));
        Map<String, ExecutionSite> effects = new LinkedHashMap<>();
        session.tools().forEach(tool -> effects.put(tool.name(), tool.executionSite()));
        assertThat(effects)
                .containsEntry("bash", ExecutionSite.SANDBOX)
                .containsEntry("mine", ExecutionSite.HOST)
                .containsKeys("read", "edit", "write", "ls", "grep", "find");
        effects.keySet().removeAll(List.of("bash", "bash_output", "write_stdin", "kill_shell", "mine"));
        assertThat(effects.values()).containsOnly(ExecutionSite.WORKTREE);
        assertThat(effects).hasSize(6);
    }

    @Test
    void givenToolsReplaceDefaultTools() {
        AgentSession session = open(builder(script("{'calls': [{'tool': 'bash', 'arguments': {}}]}, {'text': 'Done.'}"))
                .tools(List.of(tool("only"))));
        session.prompt("Go");
        assertThat(names(session)).containsExactly("only");
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text())
                        .contains("no tool named 'bash'")
                        .contains("only"));
    }

    @Test
    void buildToolsMakesToolsOfDefaultOnesAndBeatsTools() {
        List<String> given = defaults();
        AgentSession session = open(builder(selection()
                .buildTools(tools -> {
                    List<Tool> reversed = new ArrayList<>(tools.reversed());
                    reversed.add(tool("built"));
                    return reversed;
                })
                .tools(List.of(tool("beaten")))));
        assertThat(names(session)).isEqualTo(and(given.reversed(), "built"));
    }

    @Test
    void overrideTakesPlaceAndLeavesOthersAsTheyWere() {
        Tool mine = tool("read");
        AgentSession session = open(builder(selection().toolOverrides(Map.of("read", mine))));
        assertThat(names(session)).isEqualTo(defaults());
        assertThat(session.tools()).contains(mine);
    }

    @Test
    void overridingBashKeepsToolsOfBackgroundShells() {
        Tool mine = tool("bash");
        AgentSession session = open(builder(selection().toolOverrides(Map.of("bash", mine))));
        assertThat(names(session)).isEqualTo(defaults());
        assertThat(session.tools().getFirst()).isSameAs(mine);
    }

    @Test
    void overrideOfNothingIsAddedAndSourcesFollow() {
        AgentSession session = open(builder(selection()
                .skills(skills())
                .toolSource(server("mcp_a", "mcp_b"))
                .toolOverrides(Map.of("new", tool("new")))
                .addTool(tool("added"))));
        assertThat(names(session)).isEqualTo(and(defaults(), "added", "new", "mcp_a", "mcp_b", "skill"));
        assertThat(done)
                .containsExactly("opened stand-in server for " + worktree, "opened stand-in skills for " + worktree);
    }

    @Test
    void disallowedToolsAreLeftOutInEndWhereverTheyComeFrom() {
        List<String> expected = new ArrayList<>(defaults());
        expected.removeAll(List.of("bash", "write"));
        AgentSession session = open(builder(selection()
                .disallowedTools(List.of("bash", "write", "mcp_a"))
                .toolSource(server("mcp_a", "mcp_b"))
                .toolOverrides(Map.of("write", tool("write")))));
        assertThat(names(session)).isEqualTo(and(expected, "mcp_b"));
    }

    @Test
    void shortFormsOfSessionChangeItsSelection() {
        List<String> expected = new ArrayList<>(defaults());
        expected.remove("bash");
        ToolSelection added = selection().addTool(tool("added")).build();
        AgentSession session = open(builder()
                .tools(added)
                .addTool(tool("mine"))
                .toolSource(server("mcp_a", "mcp_b"))
                .skills(skills())
                .disallowedTools(List.of("bash", "mcp_a")));
        assertThat(names(session)).isEqualTo(and(expected, "added", "mine", "mcp_b", "skill"));
        session.close();
        assertThat(names(open(builder()
                        .sessionDirectory(home.resolve("another"))
                        .tools(added)
                        .closedToolSet(true))))
                .as("the selection is as it was")
                .isEqualTo(and(defaults(), "added"));
    }

    @Test
    void selectionThatWouldDropEarlierChoicesIsRefused() {
        assertThatThrownBy(() -> builder()
                        .disallowedTools(List.of("bash"))
                        .tools(selection().build()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call it first");
    }

    @Test
    void toolsOfSourceWork() {
        AgentSession session =
                open(builder(script("{'calls': [{'tool': 'mcp_a', 'arguments': {}}]}, {'text': 'Done.'}"))
                        .toolSource(server("mcp_a")));
        session.prompt("Go");
        assertThat(results(session).getFirst().text()).isEqualTo("from mcp_a");
    }

    @Test
    void overrideUnderAnotherNameIsRefused() {
        assertThatThrownBy(() -> builder(selection().toolOverrides(Map.of("bash", tool("bsh"))))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the override of 'bash' is a tool named 'bsh'");
    }

    @Test
    void twoToolsOfOneNameAreRefusedWithBothNamed() {
        assertThatThrownBy(() -> builder().addTool(tool("bash")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two tools are named 'bash'")
                .hasMessageContaining("BashTool of the session's tools, and ")
                .hasMessageContaining("TestTool that was added");
        assertThatThrownBy(() -> builder().tools(List.of(tool("a"), tool("a"))).build())
                .hasMessageContaining("two tools are named 'a'");
        assertThatThrownBy(() -> builder().toolSource(server("mcp_a", "read")).build())
                .hasMessageContaining("two tools are named 'read'")
                .hasMessageContaining("of 'stand-in server'");
        assertThatThrownBy(() -> builder(selection()
                                .toolOverrides(Map.of("skill", tool("skill")))
                                .skills(skills()))
                        .build())
                .hasMessageContaining("TestTool that is an override, and ")
                .hasMessageContaining("TestTool of 'stand-in skills'");
    }

    @Test
    void disallowedNameThatNoToolHasIsRefused() {
        assertThatThrownBy(() -> builder().disallowedTools(List.of("Bash")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no tool named 'Bash'")
                .hasMessageContaining("bash, ");
    }

    @Test
    void nameThatModelsCannotCallIsRefused() {
        for (String name : List.of("", "a b", "a.b", "x".repeat(65))) {
            assertThatThrownBy(() -> builder().addTool(tool(name)).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'");
        }
    }

    @Test
    void openedSourcesAreClosedIfSessionFailsToStart() {
        StandInSource broken = new StandInSource("broken", List.of(), "", what -> {
            throw new IllegalStateException("no such program");
        });
        assertThatThrownBy(() ->
                        builder().toolSource(server("mcp_a")).toolSource(broken).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the tools of 'broken' are not available: no such program")
                .hasMessageContaining("leave it out");
        assertThat(done).containsExactly("opened stand-in server for " + worktree, "closed stand-in server");
    }

    private static String promptOf(AgentSessionBuilder builder) {
        try (AgentSession session = builder.model((request, listener) -> AssistantTurn.saying(request.systemPrompt()))
                .build()) {
            return session.prompt("Go").text();
        }
    }

    @Test
    void sourcesMayExtendPrompt() {
        assertThat(promptOf(builder().toolSource(server()).skills(skills()).systemPrompt("Be brief.")))
                .endsWith(".\n\nOf the server.\n\nSkills: knitting.\n\nBe brief.");
    }

    @Test
    void closedToolSetIsExactlyItsTools() {
        AgentSession session = open(builder(selection()
                        .closedToolSet(true)
                        .buildTools(tools -> List.of(tools.getFirst(), tool("own")))
                        .toolOverrides(Map.of("new", tool("new")))
                        .toolSource(server("mcp_a"))
                        .skills(skills()))
                .model((request, listener) -> AssistantTurn.saying(
                        request.tools().stream().map(ToolSpecification::name).toList() + request.systemPrompt())));
        RunOutcome outcome = session.prompt("Go");
        session.close();
        assertThat(names(session)).containsExactly("bash", "own", "new");
        assertThat(events(SessionEvent.SessionStarted.class).getFirst().tools()).containsExactly("bash", "own", "new");
        assertThat(outcome.text())
                .startsWith("[bash, own, new]")
                .doesNotContain("Of the server")
                .doesNotContain("knitting");
        assertThat(done).as("nothing was started, and nothing closed").isEmpty();
    }

    @Test
    void skillToolAloneIsLeftOut() {
        assertThat(promptOf(builder(selection()
                        .disableSkillTool(true)
                        .toolSource(server("mcp_a"))
                        .skills(skills()))))
                .endsWith("\n\nOf the server.");
        assertThat(done).noneMatch(what -> what.contains("skills"));
        assertThat(events(SessionEvent.SessionStarted.class).getFirst().tools()).isEqualTo(and(defaults(), "mcp_a"));
    }

    @Test
    void sourcesAreClosedAfterExecutorEvenIfItsDisposalFails() {
        CommandExecutor failing = new CommandExecutor() {
            @Override
            public ProcessLike spawn(String command, SpawnOptions options) {
                return host.spawn(command, options);
            }

            @Override
            public void dispose() {
                done.add("disposed");
                throw new IllegalStateException("the engine is gone");
            }
        };
        AgentSession session = builder()
                .executor(failing)
                .toolSource(server("mcp_a"))
                .skills(skills())
                .build();
        done.clear();
        assertThatThrownBy(session::close)
                .isInstanceOf(SessionCloseException.class)
                .hasMessage("the session was closed, but disposing of the executor failed: the engine is gone")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(done).containsExactly("disposed", "closed stand-in server", "closed stand-in skills");
        assertThat(events.getLast()).isEqualTo(new SessionEvent.SessionEnded());
    }
}
