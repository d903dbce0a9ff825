package dev.paddock.harness.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.paddock.executor.host.HostExecutor;
import dev.paddock.fixtures.SandboxTrial;
import dev.paddock.harness.Ownership;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.TimeoutException;

class PaddockSandboxTest {
    @TempDir
    private Path worktree;

    private static ExecSpec shell(String command) {
        return ExecSpec.builder().shellCommand(command).build();
    }

    /** What the users of agents' sandboxes ask for, in one backend. */
    private void serves(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            ExecResult result = sandbox.files()
                    .create("src/a b.txt", "ä\n")
                    .and()
                    .exec(ExecSpec.builder()
                            .command("cat", "src/a b.txt", "$HOME")
                            .build());
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.stdout()).isEqualTo("ä\n");
            assertThat(result.stderr()).contains("$HOME");
            assertThat(sandbox.exec(ExecSpec.of("pwd")).stdout()).isEqualTo(sandbox.workDir() + "\n");
            assertThat(sandbox.exec(ExecSpec.builder()
                                    .shellCommand("env")
                                    .env("GIVEN", "yes")
                                    .build())
                            .stdout())
                    .contains("GIVEN=yes")
                    .doesNotContain(SandboxTrial.hostVariable());

            assertThatThrownBy(() -> sandbox.exec(ExecSpec.builder()
                            .shellCommand(SandboxTrial.stubborn())
                            .timeout(Duration.ofMillis(500))
                            .build()))
                    .isInstanceOf(SandboxException.class)
                    .hasMessageContaining("started")
                    .hasCauseInstanceOf(TimeoutException.class);
            trial.awaitUp();
            trial.awaitDeath();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void runsAndEndsCommands(String backend) throws Exception {
        serves(backend);
    }

    @Tag("full")
    @Test
    void runsAndEndsCommandsInContainer() throws Exception {
        serves("docker");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void closeEndsRunningCommand(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            Sandbox sandbox = PaddockSandbox.of(trial.executor());
            CompletableFuture<ExecResult> running =
                    CompletableFuture.supplyAsync(() -> sandbox.exec(shell(SandboxTrial.endless())));
            trial.awaitUp();
            sandbox.close();
            trial.awaitDeath();
            assertThatThrownBy(() -> running.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SandboxException.class);
            assertThat(sandbox.isClosed()).isTrue();
            assertThat(trial.executor().isDisposed()).isTrue();
            assertThatThrownBy(() -> sandbox.exec(shell("true"))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> sandbox.files().exists("alive")).isInstanceOf(SandboxException.class);
            sandbox.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"bwrap, false", "bwrap, true", "landlock, false"})
    void interruptedCallerLeavesNoProcess(String backend, boolean isStubborn) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            String command = isStubborn ? SandboxTrial.stubborn() : SandboxTrial.endless();
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    sandbox.exec(shell(command));
                } catch (SandboxException stopped) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                }
            });
            trial.awaitUp();
            caller.interrupt();
            assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
            trial.awaitDeath();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void destroyEndsTreeOfInteractiveProcess(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            Process talking = sandbox.startInteractive(ExecSpec.of("cat"));
            talking.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
            BufferedReader reader = talking.inputReader(StandardCharsets.UTF_8);
            assertThat(reader.readLine()).isEqualTo("hello");
            assertThat(talking.isAlive()).isTrue();
            assertThatThrownBy(talking::exitValue).isInstanceOf(IllegalThreadStateException.class);
            assertThatThrownBy(talking::toHandle).isInstanceOf(UnsupportedOperationException.class);
            talking.getOutputStream().close();
            assertThat(talking.waitFor()).isZero();
            assertThat(talking.exitValue()).isZero();
            talking.destroy();

            Process stubborn = sandbox.startInteractive(shell(SandboxTrial.stubborn()));
            trial.awaitUp();
            stubborn.destroyForcibly();
            trial.awaitDeath();
            assertThat(stubborn.onExit().get(20, TimeUnit.SECONDS).exitValue()).isEqualTo(128 + 9);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void destroyEndsWhatLeftSessionOfInteractiveProcess(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            Process endless = sandbox.startInteractive(shell(SandboxTrial.endless()));
            trial.awaitUp();
            endless.destroy();
            trial.awaitDeath();
            assertThat(endless.waitFor()).isEqualTo(128 + 15);
        }
    }

    /** A kill of the client alone would leave the processes in the container. */
    @Tag("full")
    @Test
    void interruptAndDestroyReachProcessesInContainer() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("docker", Files.createDirectory(worktree.resolve("one")));
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    sandbox.exec(shell(SandboxTrial.stubborn()));
                } catch (SandboxException stopped) {
                    ended.complete(Thread.currentThread().isInterrupted());
                }
            });
            trial.awaitUp();
            caller.interrupt();
            assertThat(ended.get(20, TimeUnit.SECONDS)).isTrue();
            trial.awaitDeath();
        }
        try (SandboxTrial trial = SandboxTrial.of("docker", Files.createDirectory(worktree.resolve("two")));
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            Process stubborn = sandbox.startInteractive(shell(SandboxTrial.stubborn()));
            trial.awaitUp();
            stubborn.destroy();
            trial.awaitDeath();
            assertThat(stubborn.waitFor()).isEqualTo(128 + 9);
        }
    }

    @Test
    void timeoutEndsInteractiveProcess() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            Process late = sandbox.startInteractive(ExecSpec.builder()
                    .command("cat")
                    .timeout(Duration.ofMillis(1))
                    .build());
            assertThat(late.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(late.exitValue()).isEqualTo(128 + 15);
        }
    }

    @Test
    void timeoutsOfZeroNullAndYears() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            ExecSpec touch = ExecSpec.of("touch", "made");
            for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                ExecSpec late = touch.toBuilder().timeout(none).build();
                assertThatThrownBy(() -> sandbox.exec(late)).hasCauseInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> sandbox.startInteractive(late)).hasCauseInstanceOf(TimeoutException.class);
            }
            assertThat(worktree.resolve("made")).doesNotExist();
            for (Duration endless : List.of(Duration.ofDays(365), Duration.ofSeconds(Long.MAX_VALUE))) {
                ExecSpec patient = touch.toBuilder().timeout(endless).build();
                assertThat(sandbox.exec(patient).success()).isTrue();
                assertThat(sandbox.startInteractive(patient).waitFor()).isZero();
            }
            ExecSpec without = touch.toBuilder().timeout(null).build();
            assertThat(without.timeout()).isNull();
            assertThat(sandbox.exec(without).success()).isTrue();
            assertThat(sandbox.startInteractive(without).waitFor()).isZero();
        }
    }

    @Test
    void outputIsBoundedAndSaysSo() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            String output = sandbox.exec(shell("echo first; head -c 9000000 /dev/zero; echo; echo last"))
                    .stdout();
            assertThat(output.length()).isLessThan(1 << 21);
            assertThat(output.startsWith("first")).isTrue();
            assertThat(output).contains("bytes left out").endsWith("last\n");
        }
    }

    @Test
    void programsAreNotBuiltinsAndMissingOnesExitWith127() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            assertThat(sandbox.exec(ExecSpec.of("echo", "a\\nb", "'", "")).stdout())
                    .isEqualTo("a\\nb ' \n");
            assertThat(sandbox.exec(ExecSpec.of("no-such-program")).exitCode()).isEqualTo(127);
            assertThat(sandbox.exec(shell("[[ a == a ]] && kill -9 $$")).exitCode())
                    .isEqualTo(137);
            assertThatThrownBy(() -> sandbox.exec(ExecSpec.builder()
                            .command("true")
                            .env("PADDOCK_COMMAND", "x")
                            .build()))
                    .isInstanceOf(SandboxException.class)
                    .hasMessageContaining("PADDOCK_COMMAND");
            assertThatThrownBy(() -> sandbox.exec(ExecSpec.of("echo", "a\0b")))
                    .isInstanceOf(SandboxException.class)
                    .hasMessageContaining("NUL");
        }
    }

    @Test
    void filesAreContained() throws Exception {
        Path outside = Files.createTempFile("paddock-outside", ".txt");
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree);
                Sandbox sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED)) {
            sandbox.files()
                    .setup(List.of(FileSpec.of("a/b/c.txt", "c"), FileSpec.of("a/d.txt", "dd")))
                    .createDirectory("e/f");
            assertThat(sandbox.files().list("a", 2))
                    .extracting(FileEntry::path, FileEntry::size, FileEntry::isDirectory)
                    .containsExactlyInAnyOrder(
                            tuple("a/b", 0L, true), tuple("a/b/c.txt", 1L, false), tuple("a/d.txt", 2L, false));
            assertThat(sandbox.files().list("a")).hasSize(2);
            assertThat(sandbox.files().list("a", 0)).isEmpty();
            assertThat(sandbox.files().read("a/d.txt")).isEqualTo("dd");
            assertThatThrownBy(() -> sandbox.files().delete("a")).isInstanceOf(SandboxException.class);
            assertThat(sandbox.files().delete("a", true).exists("a")).isFalse();
            assertThatThrownBy(() -> sandbox.files().delete("a")).isInstanceOf(SandboxException.class);
            assertThatThrownBy(() -> sandbox.files().list("a")).isInstanceOf(SandboxException.class);

            sandbox.exec(ExecSpec.of("ln", "-s", outside.toString(), "link"));
            for (String path : List.of("link", "../x", outside.toString())) {
                assertThatThrownBy(() -> sandbox.files().read(path)).isInstanceOf(SandboxException.class);
                assertThatThrownBy(() -> sandbox.files().create(path, "x")).isInstanceOf(SandboxException.class);
                assertThat(sandbox.files().exists(path)).isFalse();
            }
            assertThatThrownBy(() -> sandbox.files().create(".git/hooks/pre-commit", "x"))
                    .isInstanceOf(SandboxException.class);
            assertThat(outside).isEmptyFile();
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void needsWorktree() {
        try (HostExecutor anywhere = HostExecutor.create()) {
            assertThatThrownBy(() -> PaddockSandbox.of(anywhere))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("worktree");
        }
    }
}
