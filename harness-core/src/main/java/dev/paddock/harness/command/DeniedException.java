package dev.paddock.harness.command;

import dev.paddock.harness.tool.ToolException;
import java.io.Serial;

/** A command that the session refuses: the executor does not hear of it. */
final class DeniedException extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes a refusal; the message says why, that nothing was run, and what to do. */
    DeniedException(String message) {
        super(message);
    }
}
