package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.run.Capture;
import dev.paddock.executor.run.OutputSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that an executor can implement {@link CommandExecutor#run} by itself. */
class OwnRunTest {
    private static final RunOptions OPTIONS = RunOptions.in("/work");

    /** Answers each run in one step, as one that asks a server would, with the input as output. */
    private static final class Echo implements CommandExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            throw new SpawnException("this executor only runs");
        }

        @Override
        public CommandResult run(String command, RunOptions options) {
            ByteArrayOutputStream input = new ByteArrayOutputStream();
            List<Throwable> errors = new ArrayList<>();
            try {
                if (options.stdin().isPresent()) {
                    options.stdin().get().writeTo(input);
                }
                if (options.onLine().isPresent()) {
                    options.onLine().get().line(OutputSource.OUT, input.toString(options.charset()));
                }
            } catch (Exception fault) {
                errors.add(fault);
            }
            return CommandResult.builder(options, new CommandOutcome.Exited(new ExitStatus.Exited(0)))
                    .out(input.toByteArray())
                    .err(options.spawnOptions().cwd().getBytes(options.charset()))
                    .took(options.timeout().orElse(Duration.ZERO))
                    .callbackErrors(errors)
                    .build();
        }
    }

    @Test
    void resultHasWhatExecutorGivesIt() throws Exception {
        List<String> lines = new ArrayList<>();
        CommandResult result = new Echo()
                .run(
                        "",
                        OPTIONS.stdin("0123456789".getBytes(StandardCharsets.UTF_8))
                                .timeout(Duration.ofSeconds(3))
                                .capture(Capture.headAndTail(4))
                                .onLine((from, line) -> lines.add(line)));
        assertThat(result.succeeded()).isTrue();
        assertThat(result.status()).contains(new ExitStatus.Exited(0));
        assertThat(result.outBytes()).isEqualTo(10);
        assertThat(result.outText()).isEqualTo("01\n[6 bytes left out]\n89");
        assertThat(result.errText()).isEqualTo("/w\n[1 bytes left out]\nrk");
        assertThat(result.took()).isEqualTo(Duration.ofSeconds(3));
        assertThat(result.cleanup()).contains(CleanupReport.NONE);
        assertThat(lines).containsExactly("0123456789");
    }

    @Test
    void errorsAndLostCleanupAreResults() throws Exception {
        IOException full = new IOException("full");
        CommandResult failed = new Echo().run("", OPTIONS.onLine((from, line) -> {
            throw full;
        }));
        assertThat(failed.callbackErrors()).containsExactly(full);
        CommandResult lost = CommandResult.builder(OPTIONS, new CommandOutcome.Aborted("enough"))
                .status(new ExitStatus.Signaled(Signal.KILL))
                .closed(CompletableFuture.failedStage(full))
                .build();
        assertThat(lost.status()).contains(new ExitStatus.Signaled(Signal.KILL));
        assertThat(lost.cleanup()).isEmpty();
        assertThat(lost.succeeded()).isFalse();
    }

    @Test
    void everyOptionCanBeRead() throws IOException {
        AbortSignal signal = new AbortController().signal();
        Path file = Path.of("file");
        RunOptions all = OPTIONS.env("A", "b")
                .signal(signal)
                .killGrace(Duration.ofSeconds(4))
                .stderr(SpawnOptions.Stderr.MERGED)
                .startTimeout(Duration.ofSeconds(1))
                .timeout(Duration.ofSeconds(2))
                .closeTimeout(Duration.ofSeconds(3))
                .stdin(file)
                .toFile(file)
                .capture(new Capture(1, 2))
                .charset(StandardCharsets.UTF_16)
                .maxLine(5)
                .onLine((from, line) -> {})
                .onChunk((from, bytes) -> {});
        SpawnOptions spawn = all.spawnOptions();
        assertThat(spawn.cwd()).isEqualTo("/work");
        assertThat(spawn.env()).containsExactly(Map.entry("A", "b"));
        assertThat(spawn.signal()).isSameAs(signal);
        assertThat(spawn.killGrace()).isEqualTo(Duration.ofSeconds(4));
        assertThat(spawn.stderr()).isEqualTo(SpawnOptions.Stderr.MERGED);
        assertThat(spawn.stdin()).isEqualTo(SpawnOptions.Stdin.PIPE);
        assertThat(all.startTimeout()).contains(Duration.ofSeconds(1));
        assertThat(all.timeout()).contains(Duration.ofSeconds(2));
        assertThat(all.closeTimeout()).contains(Duration.ofSeconds(3));
        assertThat(all.stdin()).isPresent();
        assertThat(all.toStream()).isEmpty();
        assertThat(all.toFile()).contains(file);
        assertThat(all.capture()).isEqualTo(new Capture(1, 2));
        assertThat(all.charset()).isEqualTo(StandardCharsets.UTF_16);
        assertThat(all.maxLine()).isEqualTo(5);
        assertThat(all.onLine()).isPresent();
        assertThat(all.onChunk()).isPresent();
        assertThat(OPTIONS.spawnOptions().stdin()).isEqualTo(SpawnOptions.Stdin.EMPTY);
        assertThat(spawn.toBuilder().build()).hasToString(spawn.toString());
    }
}
