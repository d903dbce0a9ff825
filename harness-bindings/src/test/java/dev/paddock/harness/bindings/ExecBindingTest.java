package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.BindingException.Reason;
import dev.paddock.harness.files.access.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests which commands run, with which arguments, and how they end. */
class ExecBindingTest extends ExecBench {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void filesThatCommandsMayNotChangeAreKeptFromWorkspaceToo() throws Exception {
        Path git = root.resolve(".git");
        Files.createDirectories(git.resolve("refs/heads"));
        Files.createDirectories(git.resolve("objects/info"));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(git.resolve("config"), "[core]\n\trepositoryformatversion = 0\n\thooksPath = hooks\n");
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            FileException refused = null;
            try {
                container.workspace().writeText("hooks/pre-commit", "planted");
            } catch (FileException expected) {
                refused = expected;
            }
            assertThat(refused).as("before the first command").isNotNull();
            assertThat(refused.reason()).isEqualTo(FileException.Reason.PROTECTED);
            container.workspace().writeText("other/pre-commit", "allowed");
        }
        assertThat(root.resolve("hooks/pre-commit")).doesNotExist();
        assertThat(root.resolve("other/pre-commit")).hasContent("allowed");
    }

    @Test
    void programGetsItsArgumentsExactlyAndItsDirectory() {
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            ExecResult result = container.exec().run(ExecRequest.of("printf", "%s|", "a b", "$HOME", "*", "'"));
            assertThat(result.stdout()).isEqualTo("a b|$HOME|*|'|");
            assertThat(result.exitCode()).isZero();
            assertThat(container.exec().run(ExecRequest.of("pwd").in("sub")).stdout())
                    .isEqualTo(AgentContainer.WORKTREE + "/sub\n");
            assertThat(container.exec().run(ExecRequest.of("pwd")).stdout()).isEqualTo(AgentContainer.WORKTREE + "\n");
            assertThat(container.exec().run(ExecRequest.of("cat", "missing")).exitCode())
                    .isEqualTo(1);
            assertThatThrownBy(() -> container.exec().run(ExecRequest.of("pwd").in("out")))
                    .isInstanceOf(FileException.class);
        }
        assertThat(events()).contains("exec run success");
        assertThat(records).anyMatch(record -> record.event().equals(AuditRecord.COMMAND));
    }

    @Test
    void mountIsAtItsPathForCommandsToo() throws Exception {
        Path data = Files.createDirectory(directory.toRealPath().resolve("data"));
        Files.writeString(data.resolve("table"), "rows");
        try (AgentContainer container = container(ExecPolicy.anyProgram())
                .mount("/data", data, Mount.Access.READ_ONLY)
                .build()) {
            assertThat(container
                            .exec()
                            .run(ExecRequest.of("cat", "table").in("/data"))
                            .stdout())
                    .isEqualTo("rows");
        }
    }

    @Test
    void nothingRunsUnlessPolicySaysSo() {
        try (AgentContainer container =
                AgentContainer.builder(root).audit(records::add).build()) {
            assertThat(refused(() -> container.exec().run(ExecRequest.of("true"))))
                    .hasMessageContaining("'true' is not allowed");
        }
        try (AgentContainer container =
                container(ExecPolicy.only(List.of("cat"))).build()) {
            assertThat(container
                            .exec()
                            .run(ExecRequest.of("cat", "sub/file.txt"))
                            .stdout())
                    .isEqualTo("text\n");
            assertThat(refused(() -> container.exec().run(ExecRequest.of("/bin/cat", "sub/file.txt")))
                            .reason())
                    .isEqualTo(Reason.DENIED);
            assertThat(refused(() -> container.exec().run(ExecRequest.of("env").env(Map.of("A", "1")))))
                    .hasMessageContaining("Allowed: cat");
            assertThat(refused(() -> container
                            .exec()
                            .run(ExecRequest.of("cat").env(Map.of("LD_PRELOAD", "/workspace/evil.so")))))
                    .hasMessageContaining("LD_PRELOAD");
            assertThat(refused(() -> container
                            .exec()
                            .run(ExecRequest.of("cat").env(Map.of("http_proxy", "http://127.0.0.1:1")))))
                    .hasMessageContaining("http_proxy");
        }
        assertThat(events()).contains("exec run-denied denied");
    }

    @Test
    void scriptsNeedTheirOwnPermissionAndKeepToList() {
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            assertThat(refused(() -> container.exec().shell(ExecRequest.of("echo a | cat"), AbortSignal.never()))
                            .reason())
                    .isEqualTo(Reason.DENIED);
        }
        try (AgentContainer container =
                container(ExecPolicy.anyProgram().withShell()).build()) {
            assertThat(container
                            .exec()
                            .shell(ExecRequest.of("echo a | cat"), AbortSignal.never())
                            .stdout())
                    .isEqualTo("a\n");
        }
        try (AgentContainer container =
                container(ExecPolicy.only(List.of("echo")).withShell()).build()) {
            assertThat(container
                            .exec()
                            .shell(ExecRequest.of("echo a"), AbortSignal.never())
                            .stdout())
                    .isEqualTo("a\n");
            assertThat(refused(() -> container.exec().shell(ExecRequest.of("echo a | cat"), AbortSignal.never())))
                    .hasMessageContaining("'|'");
        }
        assertThat(events()).contains("exec shell-denied denied", "exec shell success");
    }

    @Test
    void commandEndsAtItsTimeLimitAndAbort() {
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            ExecResult late = container.exec().run(ExecRequest.of("sleep", "60").timeout(Duration.ofMillis(300)));
            assertThat(late.timedOut()).isTrue();
            assertThat(late.took()).isLessThan(Duration.ofSeconds(30));
            assertThat(refused(() -> container
                            .exec()
                            .run(ExecRequest.of("true").timeout(Duration.ofMillis(1L + Integer.MAX_VALUE)))))
                    .hasMessageContaining("2147483647");
            abort(container, "touch started; sleep 60");
        }
    }

    @Test
    void commandGetsSigtermAndSigkillSecondLater() {
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            // The handler starts no program: it has a second.
            abort(container, "trap ': >told; exit 5' TERM; : >started; sleep 60 & wait");
            assertThat(root.resolve("told")).exists();
            assertThat(abort(container, "trap '' TERM; touch started; while :; do sleep 0.01; done"))
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        }
    }

    /** Aborts a script that has made the file "started", and returns how long it took to end. */
    private Duration abort(AgentContainer container, String script) {
        AbortController abort = new AbortController();
        AtomicReference<Throwable> ended = new AtomicReference<>();
        Thread runner = new Thread(() -> {
            try {
                container.exec().run(ExecRequest.of("sh", "-c", script).timeout(Duration.ZERO), abort.signal());
            } catch (AbortedException expected) {
                ended.set(expected);
            }
        });
        runner.start();
        Path started = root.resolve("started");
        Awaitility.await("the command runs").atMost(PATIENCE).until(() -> Files.exists(started));
        long aborted = System.nanoTime();
        abort.abort();
        Awaitility.await("the call ends").atMost(PATIENCE).until(() -> ended.get() != null);
        Duration took = Duration.ofNanos(System.nanoTime() - aborted);
        assertThat(started.toFile().delete()).isTrue();
        return took;
    }

    @Test
    void timeLimitOfPolicyIsThatOfRequestWithoutOne() {
        assertThat(ExecPolicy.only(List.of("sleep")).timeout()).isEqualTo(Duration.ofSeconds(30));
        try (AgentContainer container = container(ExecPolicy.anyProgram().timeout(Duration.ofMillis(200)))
                .build()) {
            assertThat(container.exec().run(ExecRequest.of("sleep", "60")).timedOut())
                    .isTrue();
        }
    }

    @Test
    void callThatFailsIsOneEventWithItsMessage() {
        try (AgentContainer container =
                container(ExecPolicy.anyProgram().withShell()).build()) {
            assertThatThrownBy(() -> container.exec().run(ExecRequest.of("pwd").in("gone")))
                    .isInstanceOf(FileException.class);
            refused(() -> container.exec().run(ExecRequest.of(" ")));
            refused(() -> container.exec().shell(ExecRequest.of("env").withSecrets(), AbortSignal.never()));
        }
        assertThat(records.stream()
                        .filter(record -> "exec".equals(record.fields().get("scope")))
                        .map(record -> record.fields().get("action") + " "
                                + record.fields().get("outcome") + " "
                                + record.fields().get("detail")))
                .satisfiesExactly(
                        event -> assertThat(event).startsWith("run error").contains("gone"),
                        event -> assertThat(event).isEqualTo("run error the command is empty"),
                        event -> assertThat(event)
                                .startsWith("shell-denied denied")
                                .contains("no secrets"));
    }

    @Test
    void malformedRequestsAreNamed() {
        try (AgentContainer container = container(ExecPolicy.anyProgram()).build()) {
            assertThat(refused(() -> container.exec().run(ExecRequest.of(" ")))).hasMessageContaining("empty");
            assertThat(refused(() -> container.exec().run(ExecRequest.of("a\0b"))))
                    .hasMessageContaining("NUL");
            assertThat(refused(() -> container.exec().run(ExecRequest.of("echo", "a\0b"))))
                    .hasMessageContaining("NUL");
        }
    }
}
