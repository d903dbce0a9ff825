package dev.paddock.executor.remote.shell;

import dev.paddock.executor.remote.ShellChannel;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Requests the exit code of a command whose slot ended without reporting it: by a signal that killed both, or with the
 * whole remote system.
 */
public final class MissingExitStatus {
    private static final int ATTEMPTS = 50;
    private static final long INTERVAL_MILLIS = 20;

    private MissingExitStatus() {}

    /**
     * Requests the exit code until it has been recorded, for a second.
     *
     * @param channel the slot's
     * @return the code; empty if it was not recorded in time, or the thread was interrupted
     * @throws dev.paddock.executor.ExecutorException if the remote system does not answer
     */
    public static OptionalInt of(ShellChannel channel) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                OptionalInt code = channel.exitCode();
                if (code.isPresent()) {
                    return code;
                }
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        return OptionalInt.empty();
    }
}
