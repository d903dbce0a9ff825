package dev.paddock.harness;

import java.util.concurrent.CompletableFuture;

/**
 * A direct call in progress that belongs to no run. A class of its own, since a future has no
 * {@code equals} by which the session's set could find it.
 */
final class DirectCall {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Returns the future that completes when the call has ended. */
    CompletableFuture<Void> ended() {
        return ended;
    }
}
