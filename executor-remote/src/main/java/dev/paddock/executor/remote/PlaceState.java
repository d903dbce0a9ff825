package dev.paddock.executor.remote;

import dev.paddock.executor.SandboxLostException;
import java.util.Optional;

/**
 * Tells whether a remote place, in which commands run, still exists.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface PlaceState {
    /**
     * Asks whoever manages the place. This is a request to the remote system.
     *
     * @return the loss, not thrown; empty if the place can be used
     * @throws dev.paddock.executor.SandboxUnavailableException if nobody answers
     */
    Optional<SandboxLostException> lost();
}
