package dev.paddock.harness.events;

/**
 * The registration of a listener with a session.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

    /** Removes the listener: the event in delivery, if any, is the last. Idempotent; does not block. */
    @Override
    public void close();
}
