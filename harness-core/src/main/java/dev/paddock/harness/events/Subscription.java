package dev.paddock.harness.events;

/**
 * The registration of a listener with a session.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

    /**
     * Removes the listener: no event is delivered after the one that may be in delivery.
     * Idempotent; does not block.
     */
    @Override
    public void close();
}
