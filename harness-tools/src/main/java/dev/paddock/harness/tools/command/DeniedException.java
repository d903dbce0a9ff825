package dev.paddock.harness.tools.command;

import dev.paddock.harness.tools.ToolException;
import java.io.Serial;

/** A command that the session refuses: the executor does not hear of it. */
public final class DeniedException extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes a refusal; the message says why, that nothing was run, and what to do. */
    public DeniedException(String message) {
        super(message);
    }
}
