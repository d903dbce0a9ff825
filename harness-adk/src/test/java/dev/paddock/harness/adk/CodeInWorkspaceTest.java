package dev.paddock.harness.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.adk.agents.LlmAgent;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionInput;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionResult;
import com.google.adk.codeexecutors.CodeExecutionUtils.File;
import com.google.adk.models.BaseLlm;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.paddock.executor.policy.Mount;
import dev.paddock.fixtures.SandboxTrial;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests blocks of code that each have a workspace of their own, with a project's directory beside it. */
class CodeInWorkspaceTest {
    @TempDir
    private Path directory;

    private Path root = Path.of("/");
    private Path project = Path.of("/");

    @BeforeEach
    void makeProject() throws IOException {
        root = directory.toRealPath().resolve("workspaces");
        project = Files.createDirectory(directory.toRealPath().resolve("project"));
    }

    private WorkspaceProvider provider(String backend) {
        return backend.equals("docker")
                ? DirectoryWorkspaceProvider.docker(root).anyCommand().build()
                : DirectoryWorkspaceProvider.localSandbox(root).anyCommand().build();
    }

    /** Commands see the project at its host path, where a trial's pipe is. */
    private WorkspaceConfig config(String backend) {
        WorkspaceConfig.Builder config = WorkspaceConfig.of(backend.equals("docker") ? "docker" : "local-sandbox")
                .mount(new Mount(project, project.toString(), Mount.Access.READ_WRITE));
        return backend.equals("docker")
                ? config.setting("image", "paddock-test/debian")
                        .setting("pull", "never")
                        .build()
                : config.setting("isolation", backend).build();
    }

    private AdkCodeExecutor shell(String backend) {
        return AdkCodeExecutor.shell(provider(backend), config(backend));
    }

    private String inProject(String command) {
        return "cd '" + project + "'; " + command;
    }

    private static CodeExecutionResult run(AdkCodeExecutor executor, String code, File... inputs) {
        return executor.executeCode(
                null,
                CodeExecutionInput.builder()
                        .code(code)
                        .inputFiles(List.of(inputs))
                        .build());
    }

    private static File file(String name, String content) {
        return File.builder()
                .name(name)
                .content(Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    /** No workspace is left, and nothing is in the project but the trial's pipe. */
    private void assertNothingLeft() throws IOException {
        try (Stream<Path> left = Files.list(root)) {
            assertThat(left.filter(path -> Files.exists(path.resolve("files")))).isEmpty();
        }
        try (Stream<Path> left = Files.list(project)) {
            assertThat(left).extracting(Path::getFileName).containsExactly(Path.of("alive"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    @Tag("full")
    void filesGoInAndOutAndNothingIsLeft(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, project)) {
            CodeExecutionResult result = run(
                    shell(backend),
                    "sort in.csv > out.csv; mkdir below; touch below/a; env; cat changed.txt; echo more >> changed.txt",
                    file("in.csv", "2\n1\n"),
                    file("changed.txt", "some\n"));
            assertThat(result.stderr()).isEmpty();
            assertThat(result.stdout()).endsWith("some\n").doesNotContain(SandboxTrial.hostVariable());
            assertThat(result.outputFiles())
                    .extracting(File::name, File::content)
                    .containsExactly(
                            tuple("changed.txt", file("", "some\nmore\n").content()),
                            tuple("out.csv", file("", "1\n2\n").content()));
            assertThat(run(shell(backend), "ls").stdout())
                    .as("a block does not see what the one before has left")
                    .isEmpty();

            CodeExecutionResult late =
                    run(shell(backend).withTimeout(Duration.ofSeconds(2)), inProject(SandboxTrial.stubborn()));
            assertThat(late.stderr()).startsWith("started").contains("ended after 2.0 s");
            trial.awaitUp();
            trial.awaitDeath();
            assertNothingLeft();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void interruptedCallLeavesNothing(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, project)) {
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    run(shell(backend), "git init -q .; mkdir -m 0 x; " + inProject(SandboxTrial.stubborn()));
                } catch (CancellationException stopped) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                }
            });
            trial.awaitUp();
            caller.interrupt();
            assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
            trial.awaitDeath();
            assertNothingLeft();
        }
    }

    /** A block of ADK's own loop, whose artifact the session keeps. */
    @Test
    void agentsBlockRunsInWorkspace() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", project)) {
            assertThat(trial.executor().isDisposed()).isFalse();
            LlmAgent agent = agent(
                    new Script("I add:\n```bash\necho $((40 + 2)) | tee sum.txt\n```\n", "It is 42."),
                    provider("bwrap"),
                    config("bwrap"));
            InMemoryRunner runner = new InMemoryRunner(agent);
            Session session = runner.sessionService()
                    .createSession(runner.appName(), "user")
                    .blockingGet();
            List<Part> parts = runner
                    .runAsync("user", session.id(), Content.fromParts(Part.fromText("40 + 2?")))
                    .toList()
                    .blockingGet()
                    .stream()
                    .flatMap(event -> event.content().stream())
                    .flatMap(content -> content.parts().orElse(List.of()).stream())
                    .toList();
            assertThat(parts.stream().flatMap(part -> part.codeExecutionResult().stream()))
                    .singleElement()
                    .satisfies(
                            result -> assertThat(result.output().orElseThrow()).contains("\n42\n", "sum.txt"));
            assertThat(runner.artifactService()
                            .listArtifactKeys(runner.appName(), "user", session.id())
                            .blockingGet()
                            .filenames())
                    .containsExactly("sum.txt");
            assertNothingLeft();
        }
    }

    private static LlmAgent agent(BaseLlm model, WorkspaceProvider sandboxes, WorkspaceConfig config) {
        return LlmAgent.builder()
                .name("adder")
                .model(model)
                .codeExecutor(AdkCodeExecutor.shell(sandboxes, config))
                .build();
    }

    @Test
    void workspaceThatCannotBeOpenedOrClosedIsAnswered() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", project)) {
            assertThat(trial.executor().isDisposed()).isFalse();
            WorkspaceConfig missing = WorkspaceConfig.of("local-sandbox")
                    .copyOf(project.resolve("missing"))
                    .build();
            assertThat(run(AdkCodeExecutor.shell(provider("bwrap"), missing), "true")
                            .stderr())
                    .startsWith("The code could not be run");
            WorkspaceProvider python = DirectoryWorkspaceProvider.localSandbox(root)
                    .allowedCommands(List.of("python3"))
                    .build();
            assertThat(run(AdkCodeExecutor.python(python, config("bwrap")), "print(40 + 2)")
                            .stdout())
                    .isEqualTo("42\n");
            assertThat(run(AdkCodeExecutor.shell(python, config("bwrap")), "touch a")
                            .stderr())
                    .startsWith("The code could not be run");
            assertNothingLeft();
        }
    }

    @Test
    void filesThatWorkspaceBeginsWithAreOutputOnlyIfChanged() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", project)) {
            assertThat(trial.executor().isDisposed()).isFalse();
            Path seed = Files.createDirectory(project.resolveSibling("seed"));
            Files.writeString(seed.resolve("changed.txt"), "some\n");
            Files.writeString(seed.resolve("kept.txt"), "kept\n");
            WorkspaceConfig config = WorkspaceConfig.of("local-sandbox")
                    .copyOf(seed)
                    .setting("isolation", "bwrap")
                    .build();
            CodeExecutionResult result =
                    run(AdkCodeExecutor.shell(provider("bwrap"), config), "cat kept.txt; echo more >> changed.txt");
            assertThat(result.stdout()).isEqualTo("kept\n");
            assertThat(result.outputFiles()).extracting(File::name).containsExactly("changed.txt");
            assertNothingLeft();
        }
    }

    @Test
    void configurationThatDoesNotFitIsRefusedAtOnce() {
        WorkspaceProvider sandboxes = provider("bwrap");
        assertThatThrownBy(() -> AdkCodeExecutor.python(sandboxes, config("docker")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'local-sandbox'", "'docker'");
        assertThatThrownBy(() -> AdkCodeExecutor.python(
                        sandboxes,
                        WorkspaceConfig.of("local-sandbox")
                                .capabilities(Capability.FILES)
                                .build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SHELL");
    }
}
