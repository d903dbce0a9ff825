package dev.paddock.harness.events;

/** A listener's place at a session. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

    /** Ends it: no event is delivered after the one that may be under way. Idempotent; does not block. */
    @Override
    public void close();
}
