package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ScriptedModel;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                Prerequisite.require(Engine.present(), "no Docker engine with the image " + Engine.IMAGE);
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
    void theModelRunsWhatIsAllowedAndIsToldWhatIsNot(Kind kind) throws Exception {
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

    /** A variable would make an allowed program run another one. */
    @ParameterizedTest
    @ValueSource(strings = {"LD_PRELOAD", "BASH_ENV", "IFS", "PATH", "GIT_PAGER", "http_proxy", "NPM_CONFIG_REGISTRY"})
    void noVariableGoesAroundTheList(String variable) throws Exception {
        Kind kind = Kind.LOCAL_SANDBOX;
        try (Workspace workspace = provider(kind).open(kind.config().build())) {
            CommandExecutor executor = workspace.executor();
            RunOptions options = RunOptions.in(workspace.worktree().commandPath());
            assertThatThrownBy(() -> executor.run("echo hello", options.env(Map.of(variable, "/tmp/x"))))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining(variable + " may make an allowed command run another program");
            assertThat(executor.run("echo hello", options.env(Map.of("COLOR", "no")))
                            .outText())
                    .isEqualTo("hello\n");
        }
    }
}
