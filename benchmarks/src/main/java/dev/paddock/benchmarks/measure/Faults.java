package dev.paddock.benchmarks.measure;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Describes in one line why something was not measured. */
public final class Faults {
    private Faults() {}

    public static String message(Throwable fault) {
        Throwable cause = fault.getCause();
        if (cause != null
                && (fault instanceof CompletionException
                        || fault instanceof ExecutionException
                        || fault instanceof UncheckedIOException)) {
            return message(cause);
        }
        String message = String.valueOf(fault.getMessage())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("no reason given");
        // The messages of these types say what happened; for other types the name says more than
        // the message.
        return fault.getClass() == IOException.class || fault instanceof ExecutorException
                ? message
                : fault.getClass().getSimpleName() + ": " + message;
    }
}
