package dev.paddock.executor.process.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HelperCommandTest {

    @Test
    void resultHasExitCodeAndOutput() {
        HelperCommand.Result result = HelperCommand.run(List.of("sh", "-c", "echo out; echo \"it's\" >&2; exit 3"));
        assertThat(result.exitCode()).contains(3);
        assertThat(result.succeeded()).isFalse();
        assertThat(result.output()).contains("out\n").contains("it's\n");
    }

    @Test
    void isEndedAtItsBound() {
        HelperCommand.Result result =
                HelperCommand.run(List.of("sleep", "1000"), HostEnvironment.minimal(), Duration.ofMillis(300));
        assertThat(result.exitCode()).isEmpty();
    }

    @Test
    void outputIsCutAtItsBound() {
        HelperCommand.Result result = HelperCommand.run(
                List.of("sh", "-c", "head -c 3000000 /dev/zero"),
                Map.of("PATH", HostEnvironment.SYSTEM_PATH),
                Duration.ofSeconds(30));
        assertThat(result.succeeded()).isTrue();
        assertThat(result.output()).hasSize(HelperCommand.MAX_OUTPUT_BYTES);
    }

    @Test
    void missingProgramIsResultWithoutExitCode() {
        HelperCommand.Result result = HelperCommand.run(List.of("no-such-program-here"));
        assertThat(result.exitCode()).isEmpty();
        assertThat(result.output()).contains("no-such-program-here");
    }

    @Test
    void filterHasItsInputAndAnswersByStandardOutputAlone() {
        HelperCommand.Result result = HelperCommand.filter(
                List.of("sh", "-c", "echo aside >&2; cat"),
                HostEnvironment.minimal(),
                HelperCommand.DEFAULT_BOUND,
                "asked".getBytes(StandardCharsets.UTF_8));
        assertThat(result).isEqualTo(new HelperCommand.Result(Optional.of(0), "asked"));
    }
}
