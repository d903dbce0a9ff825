package dev.paddock.executor.bwrap;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.ProgramTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that know nothing of the sandbox reach an allowed host, and no other. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedProgramsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = ProgramTrial.PROGRAMS)
    void programReachesAllowedHostAndNoOther(String program, String command) throws IOException {
        ProgramTrial.assumeInstalled(program);
        PathMapping worktree =
                PathMapping.same(Files.createDirectory(directory.toRealPath().resolve("tree")));
        try (ProgramTrial trial = ProgramTrial.start();
                BwrapExecutor executor = BwrapExecutor.builder()
                        .policy(SandboxPolicy.builder(worktree)
                                .network(NetworkPolicy.allow(trial.rule()))
                                .build())
                        .warmSlots(0)
                        .quarantine(directory.resolve("quarantine"))
                        .build()) {
            trial.check(executor, worktree, program, command);
        }
    }
}
