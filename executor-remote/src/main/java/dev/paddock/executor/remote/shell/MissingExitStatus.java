package dev.paddock.executor.remote.shell;

import dev.paddock.executor.remote.ShellChannel;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Requests the exit code of a command whose slot ended without reporting it: by a signal that
 * killed both, or with the whole place.
 */
public final class MissingExitStatus {
    private static final int LOOKS = 50;
    private static final long LOOK_MILLIS = 20;

    private MissingExitStatus() {}

    /**
     * Asks the place for the exit code until it has recorded it, for a second.
     *
     * @param channel the slot's
     * @return the code; empty if it was not recorded in time, or the thread was interrupted
     * @throws dev.paddock.executor.ExecutorException if the place cannot be asked
     */
    public static OptionalInt of(ShellChannel channel) {
        try {
            for (int look = 0; look < LOOKS; look++) {
                OptionalInt code = channel.exitCode();
                if (code.isPresent()) {
                    return code;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        return OptionalInt.empty();
    }
}
