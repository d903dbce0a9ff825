package dev.paddock.executor.tck.context;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import java.nio.charset.StandardCharsets;

/** The result of a finished command: its status, its output, and its cleanup report. */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; the arrays are the exact bytes
public record Outcome(ExitStatus status, byte[] stdout, byte[] stderr, CleanupReport cleanup) {

    public String out() {
        return new String(stdout, StandardCharsets.UTF_8);
    }

    public String err() {
        return new String(stderr, StandardCharsets.UTF_8);
    }

    /** Returns the output of a command that must have succeeded. */
    public String succeeded() {
        if (!status.isSuccess()) {
            throw new AssertionError("the command should have succeeded, but ended with " + this);
        }
        return out();
    }

    @Override
    public String toString() {
        return status + ", stdout '" + out() + "', stderr '" + err() + "', " + cleanup;
    }
}
