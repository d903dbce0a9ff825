package dev.paddock.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.host.HostExecutor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.zeroturnaround.exec.ProcessExecutor;

/** Compares a run with input, timeout and capture with that of another library, zt-exec. */
@DisabledOnOs(OS.WINDOWS)
class ComparisonTest {
    private static final byte[] INPUT = "input\n".getBytes(StandardCharsets.UTF_8);

    /** A number of seconds that no other command sleeps. */
    private final String token = "300." + new SecureRandom().nextInt(Integer.MAX_VALUE);

    /** Copies its input, and waits with two processes. */
    private final String command =
            "sleep " + token + " </dev/null >/dev/null 2>&1 & cat; sleep " + token + " >/dev/null 2>&1";

    @TempDir
    private Path directory;

    private List<ProcessHandle> left() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).equals(List.of(token)))
                        .isPresent())
                .toList();
    }

    @Test
    void timeoutLeavesNoProcess() throws Exception {
        try (HostExecutor executor = HostExecutor.create()) {
            CommandResult result = BoundedRun.run(
                    executor, command, RunOptions.in(directory.toString()).stdin(INPUT), Duration.ofSeconds(2));
            assertThat(result.outcome()).isInstanceOf(CommandOutcome.TimedOut.class);
            assertThat(result.outText()).isEqualTo("input\n");
            assertThat(left()).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void timeoutOfOtherLibraryLeavesTwo() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try {
            assertThatThrownBy(() -> new ProcessExecutor("sh", "-c", command)
                            .redirectInput(new ByteArrayInputStream(INPUT))
                            .redirectOutput(output)
                            .timeout(5, TimeUnit.SECONDS)
                            .execute())
                    .isInstanceOf(TimeoutException.class);
            assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("input\n");
            assertThat(left()).hasSize(2);
        } finally {
            left().forEach(ProcessHandle::destroyForcibly);
        }
    }
}
