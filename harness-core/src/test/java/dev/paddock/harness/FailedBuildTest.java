package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests that a failed build leaves the executor to the caller, and no shutdown hook. */
class FailedBuildTest extends SessionTest {

    @Test
    void failedBuildNeitherDisposesOfExecutorNorLeavesHookThatDoes() throws Exception {
        Process program = FailedBuildProgram.start(worktree);
        try (BufferedReader printed = program.inputReader(StandardCharsets.UTF_8)) {
            assertThat(printed.lines().toList())
                    .as("that a hook is run at the end of a program is tested with a session that is never closed")
                    .containsExactlyElementsOf(FailedBuildProgram.steps().keySet().stream()
                            .map(step -> "failed: " + step)
                            .toList());
        } finally {
            program.destroyForcibly();
        }
    }
}
