package dev.paddock.executor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
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

    @TempDir
    Path directory;

    /** Returns an executor whose start, after which a timeout begins, ends when the command has made a file. */
    CommandExecutor returningWhen(String file) {
        return (command, options) -> {
            ProcessLike process = PLAIN.spawn(command, options);
            Awaitility.await("the command has made " + file)
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(directory.resolve(file)));
            return process;
        };
    }

    RunOptions options() {
        return RunOptions.in(directory.toString()).killGrace(Duration.ofMillis(100));
    }
}
