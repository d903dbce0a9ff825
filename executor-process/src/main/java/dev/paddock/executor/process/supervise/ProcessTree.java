package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import java.util.Optional;
import java.util.Set;

/**
 * How a backend reaches everything that a command has started. Never anything else: not the sandbox, not another command,
 * not the host.
 *
 * <p>Methods may be called from several threads at once, and are bounded: 2 seconds at most.
 */
public interface ProcessTree {

    /**
     * Sends a signal to every live member of the tree, the main process included. With KILL it goes on until it finds
     * nothing new, so that a tree that forks meanwhile is reached.
     *
     * @param signal the signal
     * @return whether something was there to signal
     */
    boolean signal(Signal signal);

    /**
     * Who of the tree still runs besides the main process. Zombies do not.
     *
     * @return their ids, as the place numbers them; empty if the place ends together with its main process, so that there
     *     is nothing to look for and no number to tell
     */
    Optional<Set<Long>> leftovers();
}
