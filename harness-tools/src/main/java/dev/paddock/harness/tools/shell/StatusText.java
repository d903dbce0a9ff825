package dev.paddock.harness.tools.shell;

import dev.paddock.executor.ExitStatus;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Describes how a command ended, in foreground or background, as text for the model and as details
 * for programs.
 */
final class StatusText {
    private StatusText() {}

    static String of(ExitStatus status) {
        return switch (status) {
            case ExitStatus.Exited exited -> "Command exited with code " + exited.code();
            case ExitStatus.Signaled signaled ->
                "Command was ended by a signal, " + signaled.signal() + ": exit code " + signaled.code();
            case ExitStatus.OutOfMemory outOfMemory ->
                "Command ran out of memory and was ended (" + limitText(outOfMemory.limitBytes())
                        + "). Let it use less: exit code " + outOfMemory.code();
        };
    }

    private static String limitText(OptionalLong limit) {
        return limit.isPresent()
                ? "the limit in force is " + limit.getAsLong() + " bytes, " + limit.getAsLong() / (1024 * 1024) + " MiB"
                : "no limit of its own is known: the machine's memory was exhausted";
    }

    static String leftovers(int left) {
        return left == 1
                ? "1 process that the command had left running was ended with it."
                : left + " processes that the command had left running were ended with it.";
    }

    static void describe(ExitStatus status, Map<String, Object> details) {
        details.put("outcome", status instanceof ExitStatus.OutOfMemory ? "out-of-memory" : "ended");
        details.put("exitCode", status.code());
        switch (status) {
            case ExitStatus.Exited exited -> {}
            case ExitStatus.Signaled signaled ->
                details.put("signal", signaled.signal().name());
            case ExitStatus.OutOfMemory outOfMemory ->
                outOfMemory.limitBytes().ifPresent(limit -> details.put("limitBytes", limit));
        }
    }
}
