package dev.paddock.executor.config;

import dev.paddock.executor.ExecutorException;
import java.io.Serial;

/**
 * Reports a configuration that cannot be used: its file, the line, the value at fault and the
 * remedy. Nothing has run.
 *
 * @since 0.1
 */
public final class SandboxConfigException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    SandboxConfigException(String message) {
        super(message);
    }

    SandboxConfigException(String message, Throwable cause) {
        super(message, cause);
    }

    static SandboxConfigException at(Origin origin, String message) {
        return new SandboxConfigException(origin.prefix() + message);
    }
}
