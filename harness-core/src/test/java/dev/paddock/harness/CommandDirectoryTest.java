package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.events.RunIncompleteException;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.WorktreeMismatchException;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Tests the session's directory under its host path and its command path, and the check that both
 * are the same directory.
 */
class CommandDirectoryTest extends SessionTest {
    private static final String ONE_COMMAND =
            "{'calls': [{'tool': 'bash', 'arguments': {'command': 'ls -A'}}]}, {'text': 'Done.'}";

    @Test
    void directoryUnderTwoNamesIsVerifiedOnce() throws IOException {
        Path alias = Files.createSymbolicLink(home.resolve("alias"), worktree);
        Files.writeString(worktree.resolve("seen.txt"), "");
        List<String> directories = new CopyOnWriteArrayList<>();
        CommandExecutor recording = (command, options) -> {
            directories.add(options.cwd());
            return host.spawn(command, options);
        };
        AgentSession session = open(builder(script(ONE_COMMAND + "," + ONE_COMMAND))
                .executor(recording)
                .execCwd(alias.toString()));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(session.prompt("Again").completed()).isTrue();
        assertThat(results(session))
                .allSatisfy(result -> assertThat(result.text()).isEqualTo("seen.txt\n"));
        assertThat(directories)
                .as("the probe and two commands")
                .containsExactly(alias.toString(), alias.toString(), alias.toString());
        assertThat(worktree).isDirectoryNotContaining("glob:**probe*");
    }

    @Test
    void executorThatKnowsItsDirectoryNeedsNoOtherPath() throws IOException {
        Path alias = Files.createSymbolicLink(home.resolve("alias"), worktree);
        Files.createDirectory(worktree.resolve("below"));
        for (Path given : List.of(alias, worktree, worktree.resolve("below"))) {
            List<String> directories = new CopyOnWriteArrayList<>();
            CommandExecutor mapped = new ForwardingExecutor(host) {
                @Override
                public Optional<PathMapping> worktree() {
                    return Optional.of(new PathMapping(worktree, alias.toString()));
                }

                @Override
                public ProcessLike spawn(String command, SpawnOptions options) {
                    directories.add(options.cwd());
                    return super.spawn(command, options);
                }

                @Override
                public void dispose() {}
            };
            try (AgentSession session = builder(script(ONE_COMMAND))
                    .executor(mapped)
                    .cwd(given)
                    .sessionDirectory(Files.createTempDirectory(home, "session"))
                    .build()) {
                assertThat(session.prompt("Go").completed()).isTrue();
            }
            String seen = given.endsWith("below") ? alias.resolve("below").toString() : alias.toString();
            assertThat(directories).as("of " + given).isNotEmpty().containsOnly(seen);
        }
    }

    @Test
    void twoDirectoriesAreRefusedAndNoCommandRuns() throws IOException {
        Path other = Files.createDirectory(home.resolve("other"));
        AgentSession session =
                open(builder(script("{'calls': [{'tool': 'bash', 'arguments': {'command': 'touch ran'}}]}"))
                        .execCwd(other.toString()));
        RunOutcome outcome = session.prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure().orElseThrow())
                .isInstanceOf(WorktreeMismatchException.class)
                .hasMessageContaining(worktree.toString())
                .hasMessageContaining(other.toString())
                .hasMessageContaining("No command was run")
                .hasMessageContaining("Mount");
        assertThatThrownBy(outcome::orThrow)
                .isInstanceOfSatisfying(
                        RunIncompleteException.class,
                        incomplete -> assertThat(incomplete.outcome()).isSameAs(outcome))
                .hasMessageContaining("FAILED")
                .hasCause(outcome.failure().orElseThrow());
        assertThat(other).isEmptyDirectory();
        assertThat(worktree).isEmptyDirectory();
        assertThat(results(session))
                .as("each call has its result, so that the session can be resumed")
                .hasSize(1);
    }

    @Test
    void withoutFileToolsNothingIsProvenSinceCommandsAloneUseDirectory() throws IOException {
        Path other = Files.createDirectory(home.resolve("other"));
        AgentSession session = open(builder(script(
                        "{'calls': [{'tool': 'bash', 'arguments': {'command': 'touch ran'}}]}, {'text': 'Done.'}"))
                .execCwd(other.toString())
                .tools(ToolSelection.builder()
                        .buildTools(tools -> tools.stream()
                                .filter(tool -> tool.executionSite() == ExecutionSite.SANDBOX)
                                .toList())
                        .build()));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(other.resolve("ran")).exists();
    }

    @Test
    void directoryThatCommandsDoNotHaveIsRefused() {
        AgentSession session = open(builder(script(ONE_COMMAND)).execCwd("/no/such/place"));
        assertThat(session.prompt("Go").failure().orElseThrow())
                .isInstanceOf(WorktreeMismatchException.class)
                .hasMessageContaining("does not exist: '/no/such/place'");
        assertThat(worktree).as("the probe is removed").isEmptyDirectory();
    }

    @Test
    void executorMayBeLambda() {
        CommandExecutor plain =
                (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        AgentSession session = open(builder(script(ONE_COMMAND)).executor(plain));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session)).allMatch(result -> !result.isError());
    }

    @Test
    void logThatNoticeNamesOpens() {
        AtomicInteger turn = new AtomicInteger();
        AgentSession session = open(builder((request, listener) -> switch (turn.incrementAndGet()) {
            case 1 -> AssistantTurn.calling("", bash("c1", "seq 1 3000"));
            case 2 ->
                AssistantTurn.calling("", read(pathInNotice(request.messages().getLast())));
            default -> AssistantTurn.saying("Done.");
        }));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session).getLast()).satisfies(result -> {
            assertThat(result.isError()).isFalse();
            assertThat(result.text()).contains("1", "999", "2000");
        });
    }

    private static String pathInNotice(Message message) {
        String text = ((Message.ToolResults) message).results().getFirst().text();
        String start = "Full output: ";
        return text.substring(text.indexOf(start) + start.length(), text.lastIndexOf(']'));
    }

    private static ToolCall read(String path) {
        return new ToolCall("read", "read", Json.object().with("path", path));
    }

    @Test
    void mainJob_editedOnHostAndSeenByCommand() throws IOException {
        Path alias = Files.createSymbolicLink(home.resolve("alias"), worktree);
        Files.writeString(worktree.resolve("sum.sh"), "echo $(($1 - $2))\n");
        Files.writeString(
                worktree.resolve("test.sh"),
                "[ \"$(sh sum.sh 1 2)\" = 3 ] && echo PASSED || { echo FAILED; exit 1; }\n");
        AgentSession session =
                open(builder(script("{'calls': [{'tool': 'bash', 'arguments': {'command': 'sh test.sh'}}]},"
                                + "{'expect': ['FAILED', 'exited with code 1'], 'calls': [{'tool': 'edit', 'arguments':"
                                + " {'path': '" + alias + "/sum.sh', 'old_string': ' - ', 'new_string': ' + '}}]},"
                                + "{'calls': [{'tool': 'bash', 'arguments': {'command': 'sh test.sh'}}]},"
                                + "{'expect': 'PASSED', 'text': 'Fixed.'}"))
                        .execCwd(alias.toString()));
        RunOutcome outcome = session.prompt("Make the failing test pass.");
        assertThat(outcome.failure()).isEmpty();
        assertThat(outcome.text()).isEqualTo("Fixed.");
        assertThat(worktree.resolve("sum.sh")).hasContent("echo $(($1 + $2))");
    }

    @Test
    void promptNamesRightDirectoryForEachSide() {
        AtomicReference<String> prompt = new AtomicReference<>("");
        Model listening = (request, listener) -> {
            prompt.set(request.systemPrompt());
            return AssistantTurn.saying("Done.");
        };
        open(builder(listening).execCwd("/work").systemPrompt("Be brief.")).prompt("Go");
        assertThat(prompt.get())
                .containsPattern("Commands \\(bash[^)]*\\)[^.]* see it as /work;")
                .containsPattern("File tools \\([^)]*\\) work on the host, where it is " + worktree)
                .endsWith("\n\nBe brief.");
    }

    @Test
    void promptNamesSharedPathOnce() {
        AgentSession session = open(builder((request, listener) -> AssistantTurn.saying(request.systemPrompt())));
        assertThat(session.prompt("Go").text()).endsWith("The directory is " + worktree + ".");
    }

    @Test
    void withoutExecutorAndWithoutSandboxThereIsNoSession() {
        // Backends are loaded with the thread's context class loader: this one finds only the host
        // backend, which is never selected by default.
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(new HostAlone(usual));
        try {
            assertThatThrownBy(() -> AgentSession.builder()
                            .model(script(""))
                            .cwd(worktree)
                            .sessionDirectory(home.resolve("unused"))
                            .build())
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("no sandbox")
                    .hasMessageContaining("name the host");
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    /** Hides all backends except the host's. */
    private static final class HostAlone extends ClassLoader {
        HostAlone(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return Collections.enumeration(Collections.list(super.getResources(name)).stream()
                    .filter(found -> !name.equals("META-INF/services/" + ExecutorProvider.class.getName())
                            || found.getPath().contains("executor-host"))
                    .toList());
        }
    }

    @Test
    void missingOrInvalidSettingsAreNamed() {
        assertThatThrownBy(() -> AgentSession.builder().cwd(worktree).build()).hasMessageContaining("no model");
        assertThatThrownBy(() -> AgentSession.builder().model(script("")).build())
                .hasMessageContaining("no directory");
        assertThatThrownBy(() -> builder(script("")).cwd(home.resolve("gone")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not exist: " + home.resolve("gone"));
        assertThatThrownBy(() -> builder(script("")).execCwd("work").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'work'");
        assertThatThrownBy(() -> builder(script(""))
                        .policy(SandboxPolicy.builder(PathMapping.same(home))
                                .network(NetworkPolicy.open())
                                .build())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy's worktree");
        assertThatThrownBy(() ->
                        builder(script("")).commandTimeout(Duration.ofHours(1)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxCommandTimeout");
    }
}
