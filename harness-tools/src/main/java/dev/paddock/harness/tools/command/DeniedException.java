package dev.paddock.harness.tools.command;

import dev.paddock.harness.tools.ToolException;
import java.io.Serial;

/** Reports a command that the session refuses and does not pass to the executor. */
public final class DeniedException extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the refusal; the message says why, that nothing was run, and what to do. */
    public DeniedException(String message) {
        super(message);
    }
}
