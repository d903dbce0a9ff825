package dev.paddock.harness.loop;

import java.io.Serial;

/** A piece of work went on after it was aborted, and is not waited for any longer. */
final class AbandonedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    AbandonedException() {
        super("the work was aborted and did not end in time");
    }
}
