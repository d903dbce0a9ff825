package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ScriptedModel;
import dev.paddock.harness.tools.script.ScriptTool;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A session in a workspace with a list of allowed commands. */
@EnabledOnOs(OS.LINUX)
class WorkspaceWithAllowedCommandsTest {
    private static final List<String> ALLOWED = List.of("echo", "cat");

    @TempDir
    private Path home;

    /** The kinds of workspaces. */
    enum Kind {
        DOCKER("docker") {
            @Override
            DirectoryWorkspaceOptions.Builder builder(Path root) throws Exception {
                Prerequisite.require(Engine.has(Engine.IMAGE), "no Docker engine with the image " + Engine.IMAGE);
                return DirectoryWorkspaceProvider.docker(root);
            }

            @Override
            WorkspaceConfig.Builder config() {
                return super.config().setting("image", Engine.IMAGE).setting("pull", "never");
            }
        },
        LOCAL_SANDBOX("local-sandbox") {
            @Override
            DirectoryWorkspaceOptions.Builder builder(Path root) throws Exception {
                return DirectoryWorkspaceProvider.localSandbox(root);
            }
        },
        LOCAL_BASH("local-bash") {
            @Override
            DirectoryWorkspaceOptions.Builder builder(Path root) throws Exception {
                return DirectoryWorkspaceProvider.localBash(root);
            }
        };

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        abstract DirectoryWorkspaceOptions.Builder builder(Path root) throws Exception;

        WorkspaceConfig.Builder config() {
            return WorkspaceConfig.of(word).capabilities(Capability.values());
        }
    }

    private DirectoryWorkspaceProvider provider(Kind kind) throws Exception {
        return kind.builder(home.toRealPath().resolve("workspaces"))
                .allowedCommands(ALLOWED)
                .build();
    }

    private static String bash(String command) {
        return "{'calls': [{'tool': 'bash', 'arguments': {'command': '" + command + "'}}]}";
    }

    /** The first thing that a program does with a workspace, and what a model then tries. */
    @ParameterizedTest
    @EnumSource
    void modelRunsWhatIsAllowedAndIsToldWhatIsNot(Kind kind) throws Exception {
        WorkspaceRegistry registry =
                WorkspaceRegistry.builder().provider(provider(kind)).build();
        String turns = bash("echo hello")
                + ", {'calls': [{'tool': 'write', 'arguments': {'path': 'notes', 'content': 'kept'}}]}, "
                + bash("cat notes") + ", " + bash("ls") + ", " + bash("echo a > b") + ", {'text': 'Done.'}";
        ScriptedModel model = ScriptedModel.parse("test", "{\"turns\": [" + turns.replace('\'', '"') + "]}");
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .workspace(registry.source(kind.config().build()))
                .sessionDirectory(home.resolve("session"))
                .build()) {
            RunOutcome outcome = session.prompt("Work.");
            assertThat(outcome.completed()).as("%s", outcome.failure()).isTrue();
            List<Message.ToolOutcome> results = session.messages().stream()
                    .filter(Message.ToolResults.class::isInstance)
                    .flatMap(message -> ((Message.ToolResults) message).results().stream())
                    .toList();
            assertThat(results)
                    .extracting(Message.ToolOutcome::isError)
                    .containsExactly(false, false, false, true, true);
            assertThat(results.get(0).text()).contains("hello");
            assertThat(results.get(2).text()).contains("kept");
            assertThat(results.get(3).text()).contains("'ls' is not allowed", "Allowed: echo, cat.");
            assertThat(results.get(4).text()).contains("it contains '>'");
            assertThat(session.tools().stream()
                            .filter(tool -> tool.name().equals("bash"))
                            .findFirst()
                            .orElseThrow()
                            .description())
                    .contains("Allowed: echo, cat.");
        }
    }

    /** No shell reads the code, so that the list's rule of plain arguments holds, and quoting is nobody's work. */
    @ParameterizedTest
    @EnumSource
    void scriptToolRunsCodeWithAllowedInterpreter(Kind kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.builder(home.toRealPath().resolve("workspaces"))
                .allowedCommands(List.of("sh"))
                .build();
        WorkspaceRegistry registry =
                WorkspaceRegistry.builder().provider(provider).build();
        String code = "x=\\\"it's $((6 * 7))\\\"; echo \\\"$x\\\" | cat; exit 3";
        ScriptedModel model = ScriptedModel.parse(
                "test",
                "{\"turns\": [{\"calls\": [{\"tool\": \"run_sh\", \"arguments\": {\"code\": \"" + code
                        + "\"}}, {\"tool\": \"run_cat\", \"arguments\": {\"code\": \"no\"}}]}, {\"text\": \"Done.\"}]}");
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .workspace(registry.source(kind.config().build()))
                .toolSource(new ScriptTool("sh"))
                .toolSource(new ScriptTool("cat"))
                .sessionDirectory(home.resolve("session"))
                .build()) {
            RunOutcome outcome = session.prompt("Work.");
            assertThat(outcome.completed()).as("%s", outcome.failure()).isTrue();
            List<Message.ToolOutcome> results = session.messages().stream()
                    .filter(Message.ToolResults.class::isInstance)
                    .flatMap(message -> ((Message.ToolResults) message).results().stream())
                    .toList();
            assertThat(results.get(0).text()).isEqualTo("it's 42\nThe script exited with code 3.");
            assertThat(results.get(1).text()).contains("was not run", "'cat' is not allowed", "Allowed: sh.");
        }
    }

    /** A link of a command's leads elsewhere, too. */
    @ParameterizedTest
    @EnumSource
    void commandsBeginInWorkspace(Kind kind) throws Exception {
        try (Workspace workspace = provider(kind).open(kind.config().build())) {
            CommandExecutor executor = workspace.executor();
            String worktree = workspace.worktree().commandPath();
            workspace.files().mkdir("below", false);
            Files.createSymbolicLink(workspace.worktree().hostPath().resolve("out"), Path.of("/etc"));
            for (String outside : List.of("/", "/etc", worktree + "/..", worktree + "/out", worktree + "x")) {
                assertThatThrownBy(() -> executor.run("echo hello", RunOptions.in(outside)))
                        .isInstanceOf(SpawnException.class)
                        .hasMessageContaining("its directory '" + outside + "' is not in the workspace");
            }
            assertThatThrownBy(() -> executor.run("echo hello", RunOptions.in(worktree + "/none")))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining(worktree + "/none");
            assertThat(executor.run("echo hello", RunOptions.in(worktree + "/below"))
                            .outText())
                    .isEqualTo("hello\n");
        }
    }

    /** The host confines nothing, even where every command is allowed; a sandbox has directories of its own. */
    @ParameterizedTest
    @EnumSource
    void whereEveryCommandIsAllowedOnlyHostsDirectoriesAreRefused(Kind kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.builder(home.toRealPath().resolve("workspaces"))
                .anyCommand()
                .build();
        try (Workspace workspace = provider.open(kind.config().build())) {
            CommandExecutor executor = workspace.executor();
            if (kind == Kind.LOCAL_BASH) {
                assertThatThrownBy(() -> executor.run("pwd", RunOptions.in("/tmp")))
                        .isInstanceOf(SpawnException.class);
            } else {
                assertThat(executor.run("pwd", RunOptions.in("/tmp")).outText()).isEqualTo("/tmp\n");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void commandIsEndedAfterLongestDuration(Kind kind) throws Exception {
        Duration longest = Duration.ofMillis(300);
        DirectoryWorkspaceProvider provider = kind.builder(home.toRealPath().resolve("workspaces"))
                .anyCommand()
                .maxDuration(longest)
                .build();
        try (Workspace workspace = provider.open(kind.config().build())) {
            CommandExecutor executor = workspace.executor();
            String worktree = workspace.worktree().commandPath();
            assertThat(executor.run(
                                    "echo up; sleep 600",
                                    RunOptions.in(worktree).timeout(Duration.ofMinutes(10)))
                            .outcome())
                    .isEqualTo(new CommandOutcome.TimedOut(longest));
            assertThat(executor.spawn("sleep 600", SpawnOptions.in(worktree))
                            .onClosed()
                            .toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(30));
            assertThat(executor.run("echo again", RunOptions.in(worktree)).outText())
                    .isEqualTo("again\n");
        }
    }

    /** A variable would make an allowed program run another one. */
    @ParameterizedTest
    @EnumSource
    void noVariableGoesAroundList(Kind kind) throws Exception {
        try (Workspace workspace = provider(kind).open(kind.config().build())) {
            CommandExecutor executor = workspace.executor();
            RunOptions options = RunOptions.in(workspace.worktree().commandPath());
            for (String variable : List.of(
                    "LD_PRELOAD", "BASH_ENV", "IFS", "PATH", "GIT_PAGER", "http_proxy", "NPM_CONFIG_REGISTRY")) {
                assertThatThrownBy(() -> executor.run("echo hello", options.env(Map.of(variable, "/tmp/x"))))
                        .isInstanceOf(SpawnException.class)
                        .hasMessageContaining(variable + " may make an allowed command run another program");
            }
            assertThat(executor.run("echo hello", options.env(Map.of("COLOR", "no")))
                            .outText())
                    .isEqualTo("hello\n");
        }
    }
}
