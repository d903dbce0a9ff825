package dev.paddock.cli.setup.document;

import java.io.Serial;

/** Reports that a client's settings cannot be changed; the file at fault is untouched. */
public final class SettingsRefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was found, in which file, and what to do
     */
    public SettingsRefusedException(String message) {
        super(message);
    }
}
