package dev.paddock.executor.remote;

import dev.paddock.executor.SandboxLostException;
import java.util.Optional;

/**
 * Reports whether the remote system in which commands run still exists.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface RemoteState {
    /**
     * Queries the remote system's manager, such as a container engine, by a request to the remote system.
     *
     * @return the loss, not thrown; empty if the remote system can be used
     * @throws dev.paddock.executor.SandboxUnavailableException if its manager does not answer
     */
    Optional<SandboxLostException> lost();
}
