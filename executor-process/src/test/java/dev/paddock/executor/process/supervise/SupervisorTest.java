package dev.paddock.executor.process.supervise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
    private final Supervisor supervisor = make();

    Supervisor make() {
        return Supervisor.create("test", false);
    }

    Supervisor make(SupervisorBounds bounds) {
        return Supervisor.within(bounds, "test", Posix.instance());
    }

    @AfterEach
    void dispose() {
        supervisor.close();
    }

    private static LaunchSpec.Builder sh(String script) {
        return LaunchSpec.builder("/bin/sh", "-c", script).env("PATH", HostEnvironment.SYSTEM_PATH);
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), UTF_8);
    }

    private String run(LaunchSpec.Builder spec) throws IOException {
        ChildProcess child = supervisor.launch(spec.build());
        try {
            return text(child.stdout());
        } finally {
            supervisor.discard(child);
        }
    }

    private ProcessLike command(LaunchSpec.Builder spec, SpawnOptions options) {
        ProcessTableMark before = supervisor.now();
        String marker = supervisor.newMarker();
        ChildProcess child =
                supervisor.launch(spec.env(CommandExecutor.MARKER, marker).build());
        return supervisor.supervise(child, options, supervisor.hostTree(child, marker, before));
    }

    @Test
    void C18_treeThatCannotBeSearchedIsNotice() throws Exception {
        ChildProcess child = supervisor.launch(sh("exit 3").build());
        ProcessTree unsearchable = new ProcessTree() {
            @Override
            public boolean signal(Signal signal) {
                return false;
            }

            @Override
            public Optional<Set<Long>> leftovers() {
                throw new IllegalStateException("thrown by the test");
            }
        };
        ProcessLike command = supervisor.supervise(child, SpawnOptions.in("/"), unsearchable);
        assertThat(command.onClosed()
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS)
                        .notices())
                .singleElement()
                .asString()
                .contains("could not be ended", "thrown by the test");
        assertThat(command.onExit().toCompletableFuture()).isCompletedWithValue(new ExitStatus.Exited(3));
    }

    /** A process that the kernel holds survives SIGKILL, also the one that disposal sends. */
    @Test
    void sigkillIsRepeatedUntilSurvivingTreeHasEnded() throws Exception {
        Supervisor brief = make(new SupervisorBounds(Duration.ofSeconds(1), Duration.ofMillis(300)));
        AtomicReference<Set<Long>> left = new AtomicReference<>(Set.of(12345L));
        AtomicInteger killed = new AtomicInteger();
        ChildProcess child = brief.launch(sh("exit 3").build());
        SupervisedProcess command = brief.supervise(
                child, SpawnOptions.builder("/").killGrace(Duration.ZERO).build(), new ProcessTree() {
                    @Override
                    public boolean signal(Signal signal) {
                        killed.incrementAndGet();
                        return true;
                    }

                    @Override
                    public Optional<Set<Long>> leftovers() {
                        return Optional.of(left.get());
                    }
                });
        assertThat(command.onClosed()
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS)
                        .notices())
                .singleElement()
                .asString()
                .contains("could not be ended", "12345");
        assertThat(text(command.stdout())).as("the stream has ended").isEmpty();
        assertThat(command.onTreeEnd().toCompletableFuture()).isNotDone();
        assertThatThrownBy(brief::close).hasMessageContainingAll("within 1 s could not end", "12345");

        int before = killed.get();
        Awaitility.await("SIGKILL is repeated").atMost(Duration.ofSeconds(30)).until(() -> killed.get() > before);
        left.set(Set.of());
        assertThat(command.onTreeEnd().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
    }

    /** Readers ask for the number of available bytes, so as not to wait for more. */
    @Test
    void C6_lineArrivesBeforeNextOneIsWritten() throws Exception {
        ChildProcess child = supervisor.launch(sh("echo one; read -r line; echo \"$line\"")
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
        BufferedReader lines = new BufferedReader(new InputStreamReader(child.stdout(), UTF_8));
        assertThat(lines.readLine()).isEqualTo("one");
        try (OutputStream stdin = child.stdin()) {
            stdin.write("two\n".getBytes(UTF_8));
        }
        assertThat(lines.readLine()).isEqualTo("two");
        assertThat(lines.readLine()).isNull();
        supervisor.discard(child);
    }

    /**
     * A command that has received TERM may have ended, and disposal with it, before its KILL is
     * scheduled.
     */
    @Test
    void C11_delayedTasksAreDroppedAfterDisposal() {
        supervisor.close();
        assertThatCode(() -> supervisor.runAfter(Duration.ofSeconds(1), () -> {}))
                .doesNotThrowAnyException();
        assertThat(supervisor.waitingTasks()).isZero();
    }

    /** The command inherits no descriptors of the JVM, which has dozens open. */
    @Test
    void commandsInheritNoDescriptorOfJvm() throws Exception {
        assertThat(run(sh("for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done")))
                .isEqualTo("0\n1\n2\n");
    }

    @Test
    void chosenDescriptorsPassAndNoOthers() throws Exception {
        ChildProcess child = supervisor.launch(
                sh("for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done; cat <&5; IFS= read -r line <&4; echo \"$line\" >&7")
                        .descriptor(4, new ChildDescriptor.Reads())
                        .descriptor(5, new ChildDescriptor.Content("from a file\n".getBytes(UTF_8)))
                        .descriptor(7, new ChildDescriptor.Writes())
                        .build());
        try (OutputStream to = child.to(4)) {
            to.write("there and back\n".getBytes(UTF_8));
        }
        assertThat(text(child.from(7))).isEqualTo("there and back\n");
        assertThat(text(child.stdout())).isEqualTo("0\n1\n2\n4\n5\n7\nfrom a file\n");
        assertThatThrownBy(() -> child.to(3)).isInstanceOf(IllegalArgumentException.class);
        supervisor.discard(child);
    }

    @Test
    void signalsAreAsAtLogin() throws Exception {
        String status = run(sh("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
        // 32 and 33 are the C library's own: it ignores them in every process that it starts, and
        // resets them there.
        assertThat(status.replace("180000000", "000000000"))
                .isEqualTo("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    }

    @Test
    void processLeadsSessionOfItsOwn() throws Exception {
        ChildProcess child = supervisor.launch(sh("read -r line </proc/$$/stat; set -- ${line##*)}; echo $3 $4")
                .build());
        assertThat(text(child.stdout())).isEqualTo(child.pid() + " " + child.pid() + "\n");
        supervisor.discard(child);
    }

    @Test
    void C3_environmentIsExactlySpecifiedOne() throws Exception {
        assertThat(run(LaunchSpec.builder("/usr/bin/env").env("ONE", "é\n'x'"))).isEqualTo("ONE=é\n'x'\n");
    }

    @Test
    void C4_errorsNameMissingDirectoryOrProgram() {
        assertThatThrownBy(() ->
                        supervisor.launch(LaunchSpec.builder("/no/such/program").build()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("/no/such/program");
        assertThatThrownBy(() ->
                        supervisor.launch(sh("true").directory("/no/such/place").build()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("does not exist")
                .hasMessageContaining("/no/such/place");
        assertThatThrownBy(
                        () -> supervisor.launch(sh("true").directory("/bin/sh").build()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("no directory");
        assertThatThrownBy(() -> LaunchSpec.builder("sh").build()).isInstanceOf(SpawnException.class);
    }

    @Test
    void C5_stdinArrivesExactly() throws Exception {
        ChildProcess child = supervisor.launch(LaunchSpec.builder("/usr/bin/wc", "-c")
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
        byte[] much = new byte[3_000_000];
        try (OutputStream stdin = child.stdin()) {
            stdin.write(much);
        }
        assertThat(text(child.stdout()).trim()).isEqualTo("3000000");
        supervisor.discard(child);
    }

    @Test
    void C6_closingWakesReader() throws Exception {
        ChildProcess child =
                supervisor.launch(sh("read x").stdin(SpawnOptions.Stdin.PIPE).build());
        Thread reader = Thread.currentThread();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            Awaitility.await("the reader blocks in its read")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> reader.getState() == Thread.State.WAITING);
            closeQuietly(child.stdout());
        });
        assertThatThrownBy(() -> child.stdout().read()).isInstanceOf(IOException.class);
        closing.get(30, TimeUnit.SECONDS);
        supervisor.discard(child);
    }

    @Test
    void C6_interruptWakesReader() {
        ChildProcess child =
                supervisor.launch(sh("read x").stdin(SpawnOptions.Stdin.PIPE).build());
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> child.stdout().read()).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        supervisor.discard(child);
    }

    private static void closeQuietly(InputStream stream) {
        try {
            stream.close();
        } catch (IOException fault) {
            throw new java.io.UncheckedIOException(fault);
        }
    }

    @Test
    void C7_statusIsExact() throws Exception {
        ProcessLike exited = command(sh("exit 137"), SpawnOptions.in("/"));
        ProcessLike killed = command(sh("kill -KILL $$"), SpawnOptions.in("/"));
        assertThat(status(exited)).isEqualTo(new ExitStatus.Exited(137));
        assertThat(status(killed)).isEqualTo(new ExitStatus.Signaled(Signal.KILL));
    }

    private static ExitStatus status(ProcessLike command) throws Exception {
        return command.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /**
     * Without a reader the descriptors are closed all the same, and the output is kept for a late
     * reader.
     */
    @Test
    void C13_unreadOutputIsKeptWithoutDescriptor() throws Exception {
        ProcessLike command = command(sh("echo late"), SpawnOptions.in("/"));
        command.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(command.stdout().available()).isEqualTo(5);
        assertThat(text(command.stdout())).isEqualTo("late\n");
        assertThat(command.stdout().read()).isEqualTo(-1);
    }

    /**
     * A daemon that left the session, the parent and the marker holds the pipe: the reader does not
     * wait for it.
     */
    @Test
    void C8_processOutOfReachThatHoldsPipeDoesNotBlockReader() throws Exception {
        Assumptions.assumeThat(HostEnvironment.findProgram("setsid")).isPresent();
        ProcessLike command = command(
                sh("env -i setsid /bin/sh -c 'echo $$; exec /bin/sleep 1000' & read x")
                        .stdin(SpawnOptions.Stdin.PIPE),
                SpawnOptions.in("/"));
        byte[] first = new byte[32];
        int length = command.stdout().read(first);
        long daemon = Long.parseLong(new String(first, 0, length, UTF_8).trim());
        try {
            // Reading is independent of the tree: the daemon has only dropped the marker, the
            // session and the parent.
            command.stdin().close();
            assertThat(command.stdout().read()).isEqualTo(-1);
        } finally {
            ProcessHandle.of(daemon).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void continuationMayBlock() throws Exception {
        ProcessLike command = command(sh("exit 0"), SpawnOptions.in("/"));
        CompletableFuture<Void> both = command.onExit()
                .thenRun(() -> command.onClosed().toCompletableFuture().join())
                .toCompletableFuture();
        both.get(30, TimeUnit.SECONDS);
    }

    @Test
    void C11_afterDisposalNothingStarts() {
        ProcessLike command = command(sh("exec sleep 1000"), SpawnOptions.in("/"));
        ChildProcess spare = supervisor.launch(sh("exec sleep 1000").build());
        supervisor.close();
        assertThat(command.onExit().toCompletableFuture()).isCompletedWithValue(new ExitStatus.Signaled(Signal.TERM));
        assertThat(ProcessHandle.of(spare.pid())).isEmpty();
        assertThatThrownBy(() -> supervisor.launch(sh("true").build())).isInstanceOf(ExecutorDisposedException.class);
        supervisor.close();
    }

    @Test
    void C12_processesOfDeadOwnerAreSwept() throws Exception {
        OwnerId here = OwnerId.current();
        Assumptions.assumeThat(here.machine()).isNotEqualTo("0");
        OwnerId dead = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
        ChildProcess left = supervisor.launch(
                sh("exec sleep 1000").env(CommandExecutor.MARKER, dead + ":1:1").build());
        ChildProcess living = supervisor.launch(sh("exec sleep 1000")
                .env(CommandExecutor.MARKER, supervisor.newMarker())
                .build());
        Awaitility.await("a dry run names the process that was left, or another JVM's sweep has ended it")
                .atMost(Duration.ofSeconds(30))
                .until(() -> HostSweep.run(SweepMode.DRY_RUN).stream()
                                .anyMatch(line -> line.startsWith("would end process " + left.pid() + " "))
                        || left.hasEnded());
        // A sweep covers the whole machine: that of another test's JVM may end the process first,
        // and then this one does not report it.
        Awaitility.await("a sweep ends the process that was left")
                .atMost(Duration.ofSeconds(30))
                .until(() -> HostSweep.run(SweepMode.REMOVE).stream()
                                .anyMatch(line -> line.startsWith("ended process " + left.pid() + " "))
                        || left.hasEnded());
        left.ended().get(30, TimeUnit.SECONDS);
        assertThat(living.hasEnded()).isFalse();
        supervisor.discard(left);
        supervisor.discard(living);
    }
}
