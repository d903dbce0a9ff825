package dev.paddock.benchmarks.measure;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Why something was not measured, in a line. */
public final class Faults {
    private Faults() {}

    public static String tell(Throwable fault) {
        Throwable cause = fault.getCause();
        if (cause != null
                && (fault instanceof CompletionException
                        || fault instanceof ExecutionException
                        || fault instanceof UncheckedIOException)) {
            return tell(cause);
        }
        String message = String.valueOf(fault.getMessage())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("no reason given");
        // Those of ours say what happened; of others the name says more than the message.
        return fault.getClass() == IOException.class || fault instanceof ExecutorException
                ? message
                : fault.getClass().getSimpleName() + ": " + message;
    }
}
