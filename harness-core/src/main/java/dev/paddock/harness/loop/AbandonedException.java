package dev.paddock.harness.loop;

import java.io.Serial;

/** Reports that an aborted task did not end in time and has been abandoned. */
final class AbandonedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    AbandonedException() {
        super("the work was aborted and did not end in time");
    }
}
