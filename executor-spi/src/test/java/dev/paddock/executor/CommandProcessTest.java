package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands that a library uses as processes of the JDK. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandProcessTest {
    private static final CommandExecutor PLAIN =
            (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);

    @TempDir
    private Path directory;

    private Process start(CommandExecutor executor, String command) {
        return ProcessLike.jdkProcess(
                executor,
                command,
                SpawnOptions.builder(directory.toString())
                        .stdin(SpawnOptions.Stdin.PIPE)
                        .killGrace(Duration.ofMillis(50))
                        .build());
    }

    @Test
    void streamsAndStatusAreThoseOfCommand() throws Exception {
        Process process = start(PLAIN, "cat; echo err >&2; exit 3");
        assertThat(process.isAlive()).isTrue();
        assertThat(process.pid()).isPositive();
        assertThat(process.supportsNormalTermination()).isTrue();
        assertThat(process.waitFor(0, TimeUnit.SECONDS)).isFalse();
        assertThatThrownBy(process::exitValue).isInstanceOf(IllegalThreadStateException.class);
        assertThatThrownBy(process::toHandle).isInstanceOf(UnsupportedOperationException.class);
        process.getOutputStream().write("out\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("out");
        assertThat(process.errorReader(StandardCharsets.UTF_8).readLine()).isEqualTo("err");
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(process.onExit().get()).isSameAs(process);
        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(process.waitFor(-1, TimeUnit.DAYS)).isTrue();
    }

    @Test
    void destroyEndsCommandThatIgnoresTermAfterGrace() throws Exception {
        Process process = start(PLAIN, "trap '' TERM; echo up; sleep 1000");
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        assertThat(output.readLine()).isEqualTo("up");
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(128 + 9);
    }

    @Test
    void destroyForciblyAndSignalOfOptionsEndCommand() throws Exception {
        assertThat(start(PLAIN, "sleep 1000").destroyForcibly().waitFor()).isEqualTo(128 + 9);
        AbortController caller = new AbortController();
        Process process = ProcessLike.jdkProcess(
                PLAIN,
                "sleep 1000",
                SpawnOptions.builder(directory.toString())
                        .signal(caller.signal())
                        .build());
        caller.abort();
        assertThat(process.waitFor()).isEqualTo(128 + 15);
    }

    @Test
    void lostCommandHasNoStatus() {
        CommandExecutor losing = (command, options) -> new ForwardingProcess(PLAIN.spawn(command, options)) {
            @Override
            public CompletionStage<ExitStatus> onExit() {
                return CompletableFuture.failedFuture(new ExecutorException("the sandbox is gone"));
            }
        };
        Process process = start(losing, "true");
        assertThat(process.isAlive()).isFalse();
        assertThatThrownBy(process::waitFor)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("gone");
        assertThatThrownBy(() -> process.waitFor(1, TimeUnit.SECONDS)).isInstanceOf(ExecutorException.class);
        assertThatThrownBy(process::exitValue)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("gone");
    }
}
