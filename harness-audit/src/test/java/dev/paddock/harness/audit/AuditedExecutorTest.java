package dev.paddock.harness.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditedExecutorTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456Z");
    private static final CommandExecutor PLAIN =
            (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);

    private final Recorded sink = new Recorded();

    @TempDir
    Path directory;

    private AuditedExecutor.Builder audited(CommandExecutor executor) {
        return AuditedExecutor.builder(executor, sink).clock(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private SpawnOptions here() {
        return SpawnOptions.in(directory.toString());
    }

    private RunOptions run() {
        return RunOptions.in(directory.toString());
    }

    private AuditRecord first() {
        return sink.records.get(0);
    }

    private AuditRecord last() {
        return sink.records.get(sink.records.size() - 1);
    }

    @Test
    void recordsLaunchOnceWithItsEnd() throws InterruptedException {
        SandboxPolicy policy = SandboxPolicy.unconfined(PathMapping.same(directory));
        try (HostExecutor host = HostExecutor.create();
                AuditedExecutor executor = audited(host)
                        .session("s-1")
                        .caller(() -> Map.of("user", "ada", "api_key", "hunter2"))
                        .policy(policy)
                        .build()) {
            CommandResult result = executor.run("printf 12345; printf 678 >&2; exit 3", run().env("LANG", "C"));

            assertThat(result.status()).contains(new ExitStatus.Exited(3));
            assertThat(executor.guarantees()).isEqualTo(host.guarantees());
        }
        assertThat(sink.records).singleElement().satisfies(record -> {
            assertThat(record.time()).isEqualTo(NOW);
            assertThat(record.session()).contains("s-1");
            assertThat(record.caller()).isEqualTo(Map.of("user", "ada", "api_key", "[REDACTED]"));
            assertThat(record.id()).isEqualTo(first().id());
        });
        assertThat(first().event()).isEqualTo(AuditRecord.COMMAND);
        assertThat(first().fields())
                .containsEntry("executor", "host")
                .containsEntry("cwd", directory.toString())
                .containsEntry("command", "printf 12345; printf 678 >&2; exit 3")
                .containsEntry("command_bytes", 36L)
                .containsEntry("env", List.of("LANG"))
                .containsEntry("jvm_pid", ProcessHandle.current().pid())
                .containsKeys("guarantees", "stdin", "user", "policy")
                .doesNotContainKey("command_sha256");
        assertThat(first().toJson()).contains(Guarantee.EXACT_STATUS.name(), "network open", "limits none");
        assertThat(last().fields())
                .containsEntry("started", AuditRecord.format(NOW))
                .containsEntry("status", "exited")
                .containsEntry("code", 3L)
                .containsEntry("stdout_bytes", 5L)
                .containsEntry("stderr_bytes", 3L)
                .containsEntry("output_complete", true)
                .containsEntry("notices", List.of())
                .containsEntry("leftovers_ended", 0L)
                .containsKey("duration_ms");
    }

    @Test
    void sinkThatThrowsIsCountedAndChangesNoCommand() throws InterruptedException {
        sink.refused = record -> true;
        AuditedExecutor executor = audited(PLAIN).build();
        CommandResult result = executor.run("touch ran; exit 4", run());
        executor.dispose();

        assertThat(result.status()).contains(new ExitStatus.Exited(4));
        assertThat(result.cleanup().orElseThrow().notices()).isEmpty();
        assertThat(directory.resolve("ran")).exists();
        assertThat(executor.unrecorded()).isEqualTo(1);
    }

    @Test
    void blockedSinkDelaysNoCommand() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        Set<AuditRecord> late = ConcurrentHashMap.newKeySet();
        AuditedExecutor executor = AuditedExecutor.builder(PLAIN, record -> {
                    awaitUninterruptibly(released);
                    late.add(record);
                })
                .build();
        for (int number = 0; number < 3; number++) {
            CommandResult result = executor.run("exit 0", run().timeout(Duration.ofSeconds(60)));
            assertThat(result.status()).contains(new ExitStatus.Exited(0));
        }
        assertThat(late).isEmpty();
        released.countDown();
        executor.dispose();
        assertThat(late).hasSize(3);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void contextThatCannotBeHadIsRecordedInItsPlace() throws InterruptedException {
        try (AuditedExecutor executor = audited(PLAIN)
                .caller(() -> {
                    throw new IllegalStateException("no context");
                })
                .build()) {
            assertThat(executor.run("exit 0", run()).status()).contains(new ExitStatus.Exited(0));
        }
        assertThat(last().caller().get("fault")).contains("no context");
    }

    @Test
    void requiredRecordIsWrittenBeforeLaunchAndNothingRunsWithoutIt() {
        List<AuditRecord> before = new CopyOnWriteArrayList<>();
        try (AuditedExecutor executor = audited(PLAIN).required(before::add).build()) {
            ProcessLike process = executor.spawn("touch ran", here());
            assertThat(before).hasSize(1);
            assertThat(process.onClosed().toCompletableFuture().join()).isNotNull();
        }
        assertThat(directory.resolve("ran")).exists();
        assertThat(before.get(0).event()).isEqualTo(AuditRecord.COMMAND_STARTED);
        assertThat(before.get(0).id()).isEqualTo(last().id());

        AuditedExecutor refusing = audited(PLAIN)
                .required(record -> {
                    throw new AuditException(AuditException.Kind.DISK_FULL, "the disk is full");
                })
                .build();
        assertThatThrownBy(() -> refusing.spawn("touch again", here()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("was not started")
                .hasMessageContaining("the disk is full")
                .hasCauseInstanceOf(AuditException.class);
        assertThat(directory.resolve("again")).doesNotExist();
    }

    @Test
    void ofSeveralLayersWithOneSinkOutermostRecords() throws InterruptedException {
        Recorded other = new Recorded();
        AuditedExecutor inner = audited(AuditedExecutor.builder(PLAIN, other).build())
                .session("inner")
                .build();
        try (AuditedExecutor executor =
                audited(new ForwardingExecutor(inner) {}).session("outer").build()) {
            var unused = executor.run("exit 0", run());
            var unusedToo = executor.run("exit 0", run());
        }
        assertThat(sink.records).hasSize(2).allMatch(record -> record.session().equals(Optional.of("outer")));
        assertThat(other.records).hasSize(2);
    }

    @Test
    void commandThatCouldNotBeStartedIsRecordedAsSuch() {
        try (AuditedExecutor executor = audited(PLAIN).build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/missing/directory")))
                    .isInstanceOf(SpawnException.class);
        }
        assertThat(last().fields()).containsEntry("status", "not started");
        assertThat(last().text("fault").orElseThrow()).contains("/missing/directory");
    }

    @Test
    void lostSandboxIsRecordedAndReported() {
        CommandExecutor losing = (command, options) -> new Lost(PLAIN.spawn(command, options));
        AuditedExecutor executor = audited(losing).build();
        ProcessLike process = executor.spawn("true", here());

        assertThatThrownBy(() -> process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(SandboxLostException.class);
        executor.dispose();
        assertThat(last().fields()).containsEntry("status", "lost");
        assertThat(last().text("fault").orElseThrow()).contains("gone");
    }

    @Test
    void noValueOfVariableAndNoSecretReachesRecord() throws InterruptedException {
        CommandExecutor noticing = (command, options) -> new Noticing(PLAIN.spawn(command, options));
        try (AuditedExecutor executor = audited(noticing).build()) {
            var unused = executor.run(
                    "echo \"$A_TOKEN\"; true hunter2",
                    run().env("A_TOKEN", "hunter2").env("COLOR", "chartreuse"));
        }
        assertThat(first().text("command")).contains("echo \"$A_TOKEN\"; true [REDACTED]");
        assertThat(first().fields()).containsEntry("env", List.of("A_TOKEN", "COLOR"));
        assertThat(last().fields()).containsEntry("notices", List.of("Moved [REDACTED]."));
        assertThat(sink.records)
                .allSatisfy(record ->
                        assertThat(record.toJson()).doesNotContain("hunter2").doesNotContain("chartreuse"));
    }

    @Test
    void ofCommandProgramAloneCanBeRecorded() throws InterruptedException {
        try (AuditedExecutor executor =
                audited(PLAIN).commandText(AuditedExecutor.CommandText.PROGRAM).build()) {
            for (String command : List.of("A=b /bin/echo hunter2", "$(echo true) hunter2", "")) {
                var unused = executor.run(command, run());
            }
        }
        assertThat(sink.records.stream()
                        .filter(record -> record.event().equals(AuditRecord.COMMAND))
                        .map(record -> record.text("program").orElseThrow()))
                .containsExactly("echo", "sh", "sh");
        assertThat(sink.records.toString()).doesNotContain("hunter2");
    }

    @Test
    void textOfLongCommandIsCutAndItsLengthAndHashAreNot() throws InterruptedException {
        String command = "true " + "x".repeat(100_000);
        try (AuditedExecutor executor = audited(PLAIN).build()) {
            var unused = executor.run(command, run());
        }
        assertThat(first().text("command").orElseThrow()).hasSize(16_384);
        assertThat(first().number("command_bytes")).hasValue(100_005);
        assertThat(first().text("command_sha256").orElseThrow()).hasSize(64);
    }

    @Test
    void disposalWaitsForRecordsOfCommandsThatItEnds() throws Exception {
        HostExecutor host = HostExecutor.create();
        AuditedExecutor executor = audited(host).build();
        ProcessLike process = executor.spawn("echo up; sleep 600", here());
        assertThat(process.stdout().read()).isEqualTo('u');
        executor.dispose();

        assertThat(last().event()).isEqualTo(AuditRecord.COMMAND);
        assertThat(last().text("status").orElseThrow()).startsWith("signaled");
    }

    @Test
    void runWithMergedOutputAndInputIsCounted() throws Exception {
        try (AuditedExecutor executor = audited(PLAIN).build()) {
            ProcessLike process = executor.spawn(
                    "cat; echo x >&2",
                    SpawnOptions.builder(directory.toString())
                            .stdin(SpawnOptions.Stdin.PIPE)
                            .stderr(SpawnOptions.Stderr.MERGED)
                            .build());
            try (OutputStream input = process.stdin()) {
                input.write('y');
            }
            assertThat(process.stdout().readAllBytes()).hasSize(3);
            assertThat(process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isNotNull();
        }
        assertThat(first().fields()).containsEntry("stdin", true);
        assertThat(last().fields()).containsEntry("stdout_bytes", 3L).containsEntry("output_complete", true);
    }

    @Test
    void recordThatWasNotReadToItsEndSaysSo() throws Exception {
        try (AuditedExecutor executor = audited(PLAIN).build()) {
            ProcessLike process = executor.spawn("echo x", here());
            assertThat(process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isNotNull();
        }
        assertThat(last().fields()).containsEntry("output_complete", false);
        assertThat(Files.exists(directory)).isTrue();
    }

    @Test
    void decoratorOfAuditedExecutorIsAuditedToo() throws InterruptedException {
        try (CommandExecutor executor = new ForwardingExecutor(audited(PLAIN).build()) {}) {
            var unused = executor.run("true", run());
        }
        assertThat(sink.records).hasSize(1);
    }

    /** Loses its sandbox at once. */
    private static final class Lost extends ForwardingProcess {
        Lost(ProcessLike process) {
            super(process);
        }

        @Override
        public CompletionStage<ExitStatus> onExit() {
            return CompletableFuture.failedFuture(new SandboxLostException("test", "gone"));
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return CompletableFuture.failedFuture(new SandboxLostException("test", "gone"));
        }
    }

    /** Names a secret in a notice. */
    private static final class Noticing extends ForwardingProcess {
        Noticing(ProcessLike process) {
            super(process);
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return super.onClosed()
                    .thenApply(report -> CleanupReport.of(report.leftoversEnded(), List.of("Moved hunter2.")));
        }
    }
}
