package dev.paddock.executor.remote;

import dev.paddock.executor.SandboxLostException;
import java.util.Optional;

/**
 * Reports whether the remote place in which commands run still exists.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface PlaceState {
    /**
     * Queries the place's manager, such as a container engine, by a request to the remote system.
     *
     * @return the loss, not thrown; empty if the place can be used
     * @throws dev.paddock.executor.SandboxUnavailableException if its manager does not answer
     */
    Optional<SandboxLostException> lost();
}
