package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.BindingException.Reason;
import dev.paddock.harness.files.access.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands of a container in bubblewrap. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecBindingTest {
    private static final String CANARY = "canary-4711";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final Queue<AuditRecord> records = new ConcurrentLinkedQueue<>();
    private Path root = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.writeString(root.resolve(".env"), "NAME=open\nno-shell=1\nUID=7\nPATH=/evil\nAPI_KEY=" + CANARY);
        Files.createDirectory(root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("out"), directory);
        Files.writeString(root.resolve("sub/file.txt"), "text\n");
    }

    private ContainerOptions.Builder container(ExecPolicy policy) {
        return AgentContainer.builder(root).backend("bwrap").exec(policy).audit(records::add);
    }

    /** Commands receive the variable NAME of the file, as the program says. */
    private ContainerOptions.Builder naming(ExecPolicy policy) {
        return container(policy)
                .environment(EnvOptions.standard().including("NAME", "no-shell", "UID", "PATH", "*_KEY"));
    }

    private static BindingException refused(Runnable call) {
        try {
            call.run();
        } catch (BindingException expected) {
            return expected;
        }
        throw new AssertionError("the call succeeded");
    }

    private List<String> events() {
        return records.stream()
                .filter(record -> record.event().equals("binding"))
                .map(record -> record.fields().get("scope") + " "
                        + record.fields().get("action") + " " + record.fields().get("outcome"))
                .toList();
    }

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
    void commandHasPublicVariablesAndNoSecretUnlessPolicySaysSo() {
        ExecRequest env = ExecRequest.of("env");
        try (AgentContainer container = naming(ExecPolicy.anyProgram()).build()) {
            assertThat(container
                            .exec()
                            .run(env.env(Map.of("OWN", "1", "UID_OF", "own")))
                            .stdout())
                    .contains("NAME=open", "OWN=1", "PATH=/usr")
                    .doesNotContain(CANARY, "no-shell", "/evil");
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("NAME", "UNKNOWN")).env(Map.of("NAME", "explicit")))
                            .stdout())
                    .contains("NAME=explicit")
                    .doesNotContain("open", "UNKNOWN");
            assertThat(container.exec().run(env.envKeys(List.of())).stdout()).doesNotContain("open");
            assertThat(container.exec().run(env.envKeys(List.of("API_KEY"))).stdout())
                    .doesNotContain(CANARY);
            assertThat(refused(() -> container.exec().run(env.withSecrets())).reason())
                    .isEqualTo(Reason.DENIED);
            assertThat(refused(() -> container.exec().run(env.env(Map.of("PATH", "/x"))))
                            .reason())
                    .isEqualTo(Reason.INVALID);
            assertThat(refused(() -> container.exec().run(env.envKeys(List.of("PATH"))))
                            .reason())
                    .isEqualTo(Reason.INVALID);
        }
        try (AgentContainer container =
                naming(ExecPolicy.anyProgram().withSecrets()).build()) {
            assertThat(container.exec().run(env.withSecrets()).stdout()).contains("API_KEY=" + CANARY);
            assertThat(container.exec().run(env).stdout()).doesNotContain(CANARY);
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("API_KEY")).withSecrets())
                            .stdout())
                    .contains("API_KEY=" + CANARY)
                    .doesNotContain("open");
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("NAME")).withSecrets())
                            .stdout())
                    .contains("NAME=open")
                    .doesNotContain(CANARY);
            // A guest that has asked SECRETS can pass the value on; the record does not.
            assertThat(container
                            .exec()
                            .run(ExecRequest.of("echo", "it is", CANARY))
                            .stdout())
                    .contains(CANARY);
        }
        assertThat(records).noneMatch(record -> record.toJson().contains(CANARY));
    }

    /** The author of a project's file would choose the servers to which its commands send the user's credentials. */
    @Test
    void commandHasOfFileWhatIsHarmlessOrWhatProgramIncludes() throws Exception {
        Files.writeString(
                root.resolve(".env"),
                "LANG=C\nNODE_ENV=test\nFORCE_COLOR=1\nAPP=file\nhttp_proxy=file\nNPM_CONFIG_REGISTRY=file\nHOME=file\n"
                        + "LD_PRELOAD=file.so\nLD_API_KEY=file\nAPI_KEY=file");
        EnvOptions standard = EnvOptions.standard();
        ExecRequest env = ExecRequest.of("env");
        for (ExecPolicy policy : List.of(ExecPolicy.anyProgram(), ExecPolicy.only(List.of("env")))) {
            try (AgentContainer container = container(policy.withSecrets()).build()) {
                assertThat(container.exec().run(env.withSecrets()).stdout().lines())
                        .contains("LANG=C", "NODE_ENV=test", "FORCE_COLOR=1", "API_KEY=file")
                        .noneMatch(line -> line.matches("(APP|http_proxy|NPM_CONFIG_REGISTRY|HOME|LD_.*)=file.*"));
                assertThat(container.env().get("http_proxy")).contains("file");
                assertThat(refused(() -> container.exec().run(env.envKeys(List.of("http_proxy")))))
                        .hasMessageContaining("the variable http_proxy of file:.env")
                        .extracting(BindingException::reason)
                        .isEqualTo(Reason.DENIED);
            }
            EnvOptions included = standard.including("APP", "http_proxy", "LD_*");
            try (AgentContainer container =
                    container(policy.withSecrets()).environment(included).build()) {
                assertThat(container.exec().run(env.withSecrets()).stdout().lines())
                        .contains("APP=file", "http_proxy=file")
                        .noneMatch(line -> line.startsWith("LD_"));
            }
            EnvOptions inCode = standard.from(
                    EnvSource.file(".env"), EnvSource.inline(Map.of("APP", "code", "http_proxy", "code")));
            try (AgentContainer container =
                    container(policy).environment(inCode).build()) {
                assertThat(container.exec().run(env).stdout().lines())
                        .contains("APP=code", "http_proxy=code")
                        .noneMatch(line -> line.startsWith("NPM_CONFIG_REGISTRY"));
            }
        }
    }

    @Test
    void commandReadsNoFileThatWorkspaceHides() throws Exception {
        Files.writeString(root.resolve("id.pem"), CANARY);
        Files.createSymbolicLink(root.resolve("link"), Path.of(".env"));
        try (AgentContainer container = container(ExecPolicy.anyProgram().withShell())
                .denyRead(List.of("*.pem"))
                .build()) {
            ExecResult result = container
                    .exec()
                    .shell(
                            ExecRequest.of(
                                    "cat .env link id.pem sub/file.txt; grep -r canary .; mv .env x; cp id.pem y; cat x y"),
                            AbortSignal.never());
            assertThat(result.stdout()).contains("text");
            assertThat(result.stdout() + result.stderr()).doesNotContain(CANARY);
        }
        assertThat(root.resolve(".env")).content().contains(CANARY);
    }

    /** Landlock grants a directory with all that is in it, and hiding is never left out in silence. */
    @Test
    void whereNoFileCanBeHiddenNoCommandRunsAndReasonIsSaid() throws Exception {
        Files.delete(root.resolve(".env"));
        for (String backend : List.of("landlock", "host")) {
            try (AgentContainer container =
                    container(ExecPolicy.anyProgram()).backend(backend).build()) {
                assertThatThrownBy(() -> container.exec().run(ExecRequest.of("touch", "ran")))
                        .isInstanceOf(UnsupportedPolicyException.class)
                        .hasMessageContaining(backend)
                        .hasMessageContaining("hide the files .env, .env.*");
                assertThat(container.workspace().readText("sub/file.txt")).isEqualTo("text\n");
            }
        }
        assertThat(root.resolve("ran")).doesNotExist();
        assertThat(events()).contains("exec run error");
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
    void commandIsToldToEndAndKilledSecondLater() {
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
