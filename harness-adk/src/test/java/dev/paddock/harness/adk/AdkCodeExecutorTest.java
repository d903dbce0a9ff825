package dev.paddock.harness.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.agents.LlmAgent;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionInput;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionResult;
import com.google.adk.codeexecutors.CodeExecutionUtils.File;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.fixtures.SandboxTrial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests blocks of code in ADK's own loop, with a model that plays a script, and by themselves. */
class AdkCodeExecutorTest {
    @TempDir
    private Path directory;

    private Path worktree = Path.of("/");

    @BeforeEach
    void makeWorktree() throws IOException {
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    private static LlmAgent agent(BaseLlm model, CommandExecutor executor) {
        return LlmAgent.builder()
                .name("adder")
                .model(model)
                .instruction("Calculate with shell commands, in a block of bash.")
                .codeExecutor(AdkCodeExecutor.shell(executor))
                .build();
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

    private void assertNothingLeft() throws Exception {
        try (Stream<Path> left = Files.list(worktree)) {
            assertThat(left).extracting(Path::getFileName).containsExactly(Path.of("alive"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    @Tag("full")
    void runsAndEndsBlocks(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            LlmAgent agent = agent(
                    new Script("I add:\n```bash\necho $((40 + 2)); env; echo made > sum.txt\n```\n", "It is 42."),
                    trial.executor());
            InMemoryRunner runner = new InMemoryRunner(agent);
            Session session = runner.sessionService()
                    .createSession(runner.appName(), "user")
                    .blockingGet();
            List<Event> events = runner.runAsync("user", session.id(), Content.fromParts(Part.fromText("40 + 2?")))
                    .toList()
                    .blockingGet();
            List<Part> parts = events.stream()
                    .flatMap(event -> event.content().stream())
                    .flatMap(content -> content.parts().orElse(List.of()).stream())
                    .toList();
            assertThat(parts.stream().flatMap(part -> part.codeExecutionResult().stream()))
                    .singleElement()
                    .satisfies(result -> assertThat(result.output().orElseThrow())
                            .contains("\n42\n", "sum.txt")
                            .doesNotContain(SandboxTrial.hostVariable()));
            assertThat(parts.getLast().text()).contains("It is 42.");
            assertNothingLeft();

            CodeExecutionResult late = run(
                    AdkCodeExecutor.shell(trial.executor()).withTimeout(Duration.ofMillis(500)),
                    "cd ..; " + SandboxTrial.stubborn());
            assertThat(late.stderr()).startsWith("started").contains("ended after 0.5 s");
            trial.awaitUp();
            trial.awaitDeath();
            assertNothingLeft();
        }
    }

    @Test
    void inputFilesAreWrittenWhereCommandsMayWriteAlone() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            CommandExecutor keeping = new ForwardingExecutor(trial.executor()) {
                @Override
                public boolean isKept(Path path) {
                    return path.endsWith("pre-commit");
                }
            };
            CodeExecutionResult refused = run(AdkCodeExecutor.shell(keeping), "cat *", file("pre-commit", "planted"));
            assertThat(refused.stderr()).contains("pre-commit is protected");
            assertThat(run(AdkCodeExecutor.shell(keeping), "cat *", file("other", "allowed"))
                            .stdout())
                    .isEqualTo("allowed");
        }
    }

    @ParameterizedTest
    @CsvSource({"bwrap, false", "bwrap, true", "landlock, false"})
    void interruptedCallLeavesNothing(String backend, boolean isStubborn) throws Exception {
        requireInterruptEnds(backend, isStubborn);
    }

    /** A kill of the client alone would leave the processes in the container. */
    @Tag("full")
    @Test
    void interruptReachesProcessesInContainer() throws Exception {
        requireInterruptEnds("docker", true);
    }

    private void requireInterruptEnds(String backend, boolean isStubborn) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            String command = isStubborn ? SandboxTrial.stubborn() : SandboxTrial.endless();
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    run(AdkCodeExecutor.shell(trial.executor()), "git init -q .; cd ..; " + command);
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

    @Test
    void filesGoInAndOut() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            AdkCodeExecutor python = AdkCodeExecutor.python(trial.executor());
            assertThat(python.codeBlockDelimiters().getFirst().getFirst()).isEqualTo("```tool_code\n");
            CodeExecutionResult result = run(python, """
                    import sys
                    total = sum(int(line) for line in open("in.csv"))
                    open("out.json", "w").write(f'{{"total": {total}}}')
                    open("changed.txt", "a").write("more")
                    print("ä", file=sys.stderr)
                    """, file("in.csv", "1\n2\n"), file("changed.txt", "some"));
            assertThat(result.stderr()).isEmpty();
            assertThat(result.stdout()).isEqualTo("ä\n");
            assertThat(result.outputFiles()).hasSize(2);
            assertThat(result.outputFiles()).contains(file("changed.txt", "somemore"));
            assertThat(result.outputFiles()).anySatisfy(made -> {
                assertThat(made.mimeType()).isEqualTo("application/json");
                assertThat(new String(Base64.getDecoder().decode(made.content()), StandardCharsets.UTF_8))
                        .isEqualTo("{\"total\": 3}");
            });
            CodeExecutionResult failed = run(python, "print('so far'); raise ValueError('no')");
            assertThat(failed.stdout()).isEmpty();
            assertThat(failed.stderr())
                    .startsWith("so far")
                    .contains("ValueError")
                    .endsWith("Exit code: 1");
            assertNothingLeft();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git init -q .",
                "mkdir -m 0 x",
                "mkdir -p a/b; chmod 0500 a",
                "mkdir .vscode; echo a=b > .npmrc",
                "( for i in $(seq 150); do mkdir d && cd d || exit; done )",
                "ln -s .. up"
            })
    void directoryIsRemovedWhateverBlockLeaves(String code) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            CodeExecutionResult result = run(AdkCodeExecutor.shell(trial.executor()), code + "; echo done");
            assertThat(result.stderr()).isEmpty();
            assertThat(result.stdout()).isEqualTo("done\n");
            assertNothingLeft();
        }
    }

    @Test
    void blockThatRemovesItsDirectoryHasSucceeded() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            CodeExecutionResult result =
                    run(AdkCodeExecutor.shell(trial.executor()), "echo made > a; rm -rf \"$PWD\"; echo done");
            assertThat(result.stderr()).isEmpty();
            assertThat(result.stdout()).startsWith("done\n").contains("Without output files");
            assertNothingLeft();
        }
    }

    @Test
    void directoryThatCannotBeRemovedIsNamedInResult() throws Exception {
        Path aside = worktree.resolveSibling("aside");
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            CommandExecutor replacing = new ForwardingExecutor(trial.executor()) {
                @Override
                public CommandResult run(String command, RunOptions options) throws InterruptedException {
                    CommandResult result = super.run(command, options);
                    try {
                        Files.move(worktree, aside);
                        Files.createFile(worktree);
                    } catch (IOException impossible) {
                        throw new UncheckedIOException(impossible);
                    }
                    return result;
                }
            };
            CodeExecutionResult result = run(AdkCodeExecutor.shell(replacing), "echo done");
            Files.delete(worktree);
            Files.move(aside, worktree);
            assertThat(result.stdout())
                    .startsWith("done\n")
                    .containsPattern("directory /work/paddock-code-[-0-9a-f]+ could not be removed");
        }
    }

    @Test
    void worktreeThatIsGoneIsAnswered() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            CommandExecutor elsewhere = new ForwardingExecutor(trial.executor()) {
                @Override
                public Optional<PathMapping> worktree() {
                    return Optional.of(new PathMapping(worktree.resolve("gone"), "/work"));
                }
            };
            assertThat(run(AdkCodeExecutor.shell(elsewhere), "true").stderr()).startsWith("The code could not be run");
        }
    }

    @Test
    void namesSizesAndTimesAreBounded(@TempDir Path outside) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            AdkCodeExecutor shell = AdkCodeExecutor.shell(trial.executor());
            for (String name : List.of("../x", "/x", "..", ".", "a/b", "")) {
                assertThat(run(shell, "touch ../ran", file(name, "x")).stderr())
                        .as(name)
                        .startsWith("The code could not be run");
            }
            assertNothingLeft();
            CodeExecutionResult linked = run(shell, "ln -s " + outside + " a; ln -s /etc/passwd b; mkdir c; mkfifo d");
            assertThat(linked.outputFiles()).isEmpty();
            assertThat(linked.stderr()).isEmpty();
            CodeExecutionResult many = run(shell, "for i in $(seq 150); do echo > f$i; done; truncate -s 1G big");
            assertThat(many.outputFiles()).hasSize(100);
            assertThat(many.stdout()).contains("51 files left out");
            assertThat(run(shell, "seq -f f%g 10100 | xargs touch").stdout())
                    .contains("[more than 9901 files left out");
            assertThat(run(shell, "head -c 5000000 /dev/zero; echo last").stdout())
                    .hasSizeLessThan(1 << 17)
                    .contains("bytes left out")
                    .endsWith("last\n");
            for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                assertThatThrownBy(() -> shell.withTimeout(none)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> shell.withTimeout(absent())).isInstanceOf(NullPointerException.class);
            assertThat(run(shell.withTimeout(Duration.ofDays(365)), "echo ran").stdout())
                    .isEqualTo("ran\n");
            trial.executor().dispose();
            assertThat(run(shell, "true").stderr()).startsWith("The code could not be run");
            assertNothingLeft();
        }
    }

    /** Returns null, as a caller without null checks may. */
    @SuppressWarnings("NullAway")
    private static Duration absent() {
        return null;
    }

    @Test
    void pagesLinesAreTests() throws Exception {
        String sources =
                words(Files.readString(Path.of("src/test/java/dev/paddock/harness/adk/AdkCodeExecutorTest.java")));
        assertThat(Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                        .matcher(Files.readString(Path.of("..", "docs", "frameworks.md")))
                        .results()
                        .map(found -> found.group(1))
                        .filter(example -> example.contains("AdkCodeExecutor")))
                .singleElement()
                .satisfies(example -> {
                    assertThat(example.lines()).hasSizeLessThanOrEqualTo(10);
                    assertThat(sources).contains(words(example));
                });
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
