package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.policy.PathMapping;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the processes that {@link ProcessLike#start} and {@link ProcessLike#of} adapt. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdkProcessTest {
    private static final CommandExecutor PLAIN =
            (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);

    @TempDir
    private Path directory;

    private List<ProcessLike> started = List.of();

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(process -> process.kill(Signal.KILL));
    }

    private ProcessLike spawn(String command, SpawnOptions.Builder options) {
        ProcessLike process = PLAIN.spawn(command, options.build());
        started = List.of(process);
        return process;
    }

    private ProcessLike spawn(String command) {
        return spawn(command, options());
    }

    private SpawnOptions.Builder options() {
        return SpawnOptions.builder(directory.toString());
    }

    private static ExitStatus statusOf(ProcessLike process) throws Exception {
        return process.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static String textOf(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String lambdaIn(String source) throws IOException {
        String text = Files.readString(Path.of(source)).replaceAll("[\\s*]+", " ");
        int begin = text.indexOf("(command, options) ->");
        return text.substring(begin, text.indexOf(';', begin));
    }

    @Test
    void exampleOfInterfaceIsExecutorOfTheseTests() throws IOException {
        assertThat(lambdaIn("src/main/java/dev/paddock/executor/CommandExecutor.java"))
                .contains("ProcessLike.start(")
                .isEqualTo(lambdaIn("src/test/java/dev/paddock/executor/JdkProcessTest.java"));
    }

    @Test
    void lambdaIsExecutorThatClaimsNothing() {
        assertThat(PLAIN.guarantees()).isEqualTo(Set.of());
        assertThat(PLAIN.name()).isEqualTo("custom");
        PLAIN.dispose();
        PLAIN.close();
    }

    @Test
    void C6_streamsAreApart() throws Exception {
        ProcessLike process = spawn("printf out; printf err >&2; exit 3");
        assertThat(textOf(process.stdout())).isEqualTo("out");
        assertThat(textOf(process.stderr())).isEqualTo("err");
        assertThat(statusOf(process)).isEqualTo(new Exited(3));
        assertThat(process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo(CleanupReport.NONE);
        assertThat(process.pid().getAsLong()).isPositive();
    }

    @Test
    void C6_mergedInWrittenOrder() throws Exception {
        ProcessLike process = spawn("echo 1; echo 2 >&2; echo 3", options().stderr(Stderr.MERGED));
        assertThat(textOf(process.stdout())).isEqualTo("1\n2\n3\n");
        assertThat(textOf(process.stderr())).isEmpty();
    }

    @Test
    void C5_inputIsEmptyAndClosed() throws Exception {
        ProcessLike process = spawn("cat; echo end");
        assertThat(textOf(process.stdout())).isEqualTo("end\n");
        assertThatThrownBy(() -> {
                    process.stdin().write(1);
                    process.stdin().flush();
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void C5_pipeHasEnd() throws Exception {
        ProcessLike process = spawn("cat", options().stdin(Stdin.PIPE));
        try (OutputStream stdin = process.stdin()) {
            stdin.write("line".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(textOf(process.stdout())).isEqualTo("line");
    }

    @Test
    void C4_startsInDirectory() throws Exception {
        ProcessLike process = spawn("pwd -P");
        assertThat(textOf(process.stdout())).isEqualTo(directory.toRealPath() + "\n");
    }

    @Test
    void C4_missingDirectoryIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> spawn("true", SpawnOptions.builder(directory + "/missing")))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("does not exist")
                .hasMessageContaining(directory + "/missing");
        assertThatThrownBy(() -> spawn("true", SpawnOptions.builder(file.toString())))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("is no directory");
    }

    @Test
    void C3_jvmsVariablesStayOutUnlessNamed() throws Exception {
        String name = "XDG_CACHE_HOME"; // the build sets it
        String command = "echo \"${" + name + ":-none} $PATH ${PADDOCK_COMMAND:+marked}\"";
        String path = System.getenv("PATH");
        assertThat(textOf(spawn(command, options()).stdout())).isEqualTo("none " + path + " marked\n");
        ProcessLike named = ProcessLike.start(
                new ProcessBuilder("sh", "-c", command), options().build(), Set.of(name));
        assertThat(textOf(named.stdout())).isEqualTo(System.getenv(name) + " " + path + " marked\n");
    }

    @Test
    void waitForGivesStatusOnceThereIsOneAndCloseEndsCommand() throws Exception {
        try (ProcessLike process = spawn("read x; exit 3", options().stdin(Stdin.PIPE))) {
            assertThat(process.waitFor(Duration.ZERO)).isEmpty();
            process.stdin().close();
            assertThat(process.waitFor(Duration.ofSeconds(30))).contains(new Exited(3));
        }
        ProcessLike closed = spawn("exec sleep 1000");
        closed.close();
        assertThat(closed.waitFor(Duration.ofSeconds(30))).contains(new Signaled(Signal.KILL));
        closed.close();
    }

    @Test
    void runWithoutOptionsRunsInWorktree() throws Exception {
        CommandExecutor shared = new ForwardingExecutor(PLAIN) {
            @Override
            public Optional<PathMapping> worktree() {
                return Optional.of(PathMapping.same(directory));
            }
        };
        assertThat(shared.run("pwd").outText()).isEqualTo(directory + "\n");
        assertThat(PLAIN.run("pwd", RunOptions.in(directory)).outText()).isEqualTo(directory + "\n");
        assertThatThrownBy(() -> PLAIN.run("pwd"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("has no worktree");
    }

    @Test
    void C3_optionsLieOverBuildersEnvironment() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo $ONE $TWO");
        builder.environment().put("ONE", "base");
        builder.environment().put("TWO", "base");
        ProcessLike process =
                ProcessLike.start(builder, options().env("TWO", "own").build());
        assertThat(textOf(process.stdout())).isEqualTo("base own\n");
    }

    @Test
    void C1_missingProgramIsSpawnException() {
        assertThatThrownBy(() -> ProcessLike.start(
                        new ProcessBuilder("no-such-program"), options().build()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("no-such-program")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void C7_a128PlusNIsReadAsSignal() throws Exception {
        assertThat(statusOf(spawn("kill -9 $$"))).isEqualTo(new Signaled(Signal.KILL));
        assertThat(statusOf(spawn("exit 137"))).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    void C9_killReachesThoseOnParentChain() throws Exception {
        // Not with 'wait': the shell would exit by itself if the signal reached its child first.
        ProcessLike process = spawn("sleep 1000 & echo $!; read x", options().stdin(Stdin.PIPE));
        BufferedReader stdout = new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8));
        long child = Long.parseLong(stdout.readLine());
        assertThat(process.kill(Signal.KILL)).isTrue();
        assertThat(statusOf(process)).isEqualTo(new Signaled(Signal.KILL));
        Awaitility.await("the child has ended")
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(process.kill(Signal.TERM)).as("after the exit").isFalse();
    }

    @Test
    void C9_otherSignalsAreRefusedWithReason() throws Exception {
        ProcessLike process = spawn("exec sleep 1000");
        assertThatThrownBy(() -> process.kill(Signal.HUP))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("SIGHUP");
        assertThat(process.kill(Signal.KILL)).isTrue();
        assertThat(statusOf(process)).isEqualTo(new Signaled(Signal.KILL));
    }

    @Test
    void C10_abortedBeforeSpawnRunsNothing() {
        AbortController controller = new AbortController();
        controller.abort();
        assertThatThrownBy(() -> spawn("touch ran", options().signal(controller.signal())))
                .isInstanceOf(AbortedException.class);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void C10_termThenKillAfterGrace() throws Exception {
        AbortController controller = new AbortController();
        ProcessLike process = spawn(
                "trap 'echo heard' TERM; echo up; while :; do sleep 0.05; done",
                options().signal(controller.signal()).killGrace(Duration.ofSeconds(1)));
        BufferedReader stdout = new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8));
        assertThat(stdout.readLine()).isEqualTo("up");
        controller.abort();
        assertThat(statusOf(process)).isEqualTo(new Signaled(Signal.KILL));
        assertThat(stdout.readLine()).isEqualTo("heard");
    }

    @Test
    void C10_noListenerIsLeft() throws Exception {
        AtomicInteger listeners = new AtomicInteger();
        AbortSignal counting = new AbortSignal() {
            @Override
            public Optional<String> reason() {
                return Optional.empty();
            }

            @Override
            public Registration onAbort(Runnable listener) {
                listeners.incrementAndGet();
                return listeners::decrementAndGet;
            }
        };
        statusOf(spawn("exit 0", options().signal(counting)));
        Awaitility.await("no listener is left at the signal")
                .atMost(Duration.ofSeconds(30))
                .until(() -> listeners.get() == 0);
    }

    @Test
    void ofAdaptsProcessThatRuns() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        ProcessLike adapted = ProcessLike.of(process, options().build());
        assertThat(statusOf(adapted)).as("its input was closed").isEqualTo(new Exited(0));
    }
}
