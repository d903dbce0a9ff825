package dev.paddock.harness.tools.web;

import dev.paddock.harness.tools.ToolException;
import java.io.Serial;

/** Reports why a page could not be fetched, worded for the model. */
final class WebProblem extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    WebProblem(String message) {
        super(message);
    }

    WebProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
