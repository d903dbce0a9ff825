package dev.paddock.executor;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The executor of the tests of {@link CommandExecutor#run}: a lambda that starts the JDK's processes. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class RunningCommands {
    static final CommandExecutor PLAIN =
            (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);

    static final Duration SOON = Duration.ofMillis(200);

    /** Long enough for a command to start and to exit. */
    static final Duration ENOUGH = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    RunOptions options() {
        return RunOptions.in(directory.toString()).killGrace(Duration.ofMillis(100));
    }
}
