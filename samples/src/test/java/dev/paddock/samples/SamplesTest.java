package dev.paddock.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.events.RunOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplesTest {
    @TempDir
    private Path worktree;

    @BeforeEach
    void writeProject() throws IOException {
        ExampleProject.writeTo(worktree);
    }

    @Test
    void projectsTestFailsUntilScriptHasBeenPlayed() throws Exception {
        assertThat(testExitCode()).isEqualTo(1);
        assertThat(FirstSession.run(ExampleProject.model(), worktree, HostExecutor.create())
                        .completed())
                .isTrue();
        assertThat(testExitCode()).isZero();
    }

    private int testExitCode() throws Exception {
        return new ProcessBuilder("sh", "test.sh")
                .directory(worktree.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void progressIsReported() throws Exception {
        ByteArrayOutputStream reported = new ByteArrayOutputStream();
        RunOutcome outcome = Progress.watch(
                ExampleProject.model(),
                worktree,
                HostExecutor.create(),
                new PrintStream(reported, true, StandardCharsets.UTF_8));
        assertThat(outcome.completed()).isTrue();
        assertThat(reported.toString(StandardCharsets.UTF_8))
                .containsSubsequence(
                        "> read {\"path\":",
                        "> bash {\"command\":\"sh test.sh\"}",
                        "failed after",
                        "> edit",
                        "done after",
                        "COMPLETED");
    }

    @Test
    void oneCommandEndsAsItDoes() throws Exception {
        try (HostExecutor executor = HostExecutor.create()) {
            assertThat(OneCommand.run(executor, "test \"$GREETING\" = hello && test -e leap.sh", worktree))
                    .isEqualTo(new ExitStatus.Exited(0));
            assertThat(OneCommand.run(executor, "exit 3", worktree)).isEqualTo(new ExitStatus.Exited(3));
        }
    }
}
