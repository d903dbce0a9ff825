package dev.paddock.executor.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.fixtures.crash.CrashOperation;
import dev.paddock.fixtures.crash.SteppedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a session does that {@link GuardCrashPointsTest} ends at each step; {@link SteppedClasses} load it. */
public enum GuardOperations implements CrashOperation {
    /** Opens the guard, and begins a command. */
    BEGIN {
        @Override
        public void run(Path directory) throws IOException {
            guard = guarding(directory);
            command = guard.begin(ProtectionPlan.NONE);
        }
    },

    /** Records that the command is live. */
    BEAT {
        @Override
        public void run(Path directory) {
            Objects.requireNonNull(guard).journal().beat();
        }
    },

    /** Settles the command, and closes the guard. */
    SETTLE {
        @Override
        public void run(Path directory) {
            Objects.requireNonNull(command).settle();
            Objects.requireNonNull(guard).close();
        }
    },

    /** Settles what a killed session has left. */
    RECOVER {
        @Override
        public void run(Path directory) throws IOException {
            guarding(directory).close();
        }
    };

    private static @Nullable WorktreeGuard guard;
    private static WorktreeGuard.@Nullable Command command;

    /** Opens the guard of a worktree; all its files are in one directory. */
    static WorktreeGuard guarding(Path directory) throws IOException {
        return WorktreeGuard.open(
                directory.resolve("worktree"),
                ProtectedPaths.standard(),
                Files.createDirectories(directory.resolve("state")),
                new Journals(directory.resolve("journals"), container -> false),
                directory.resolve("quarantine"),
                List.of(),
                Map.of("HOME", directory.toString(), "GIT_CONFIG_SYSTEM", "/dev/null"));
    }
}
