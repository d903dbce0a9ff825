package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import java.util.Optional;
import java.util.Set;

/**
 * Reaches all processes that a command has started, and nothing else: not the sandbox, another command or the host.
 *
 * <p>Methods are thread-safe and bounded: 2 seconds at most.
 *
 * @since 0.1
 */
public interface ProcessTree {

    /**
     * Sends a signal to every live member of the tree, including the main process, but to none that a signal handler
     * starts. With KILL it repeats the search until it finds no new process, so that it reaches a tree that keeps
     * forking.
     *
     * @param signal the signal
     * @return whether at least one process was signaled
     */
    boolean signal(Signal signal);

    /**
     * Asks every live member of the tree to exit: SIGTERM, and SIGCONT, since a stopped process does not handle
     * SIGTERM. A sandbox that would end with its main process stays until every member has exited or KILL is sent.
     */
    default void terminate() {
        signal(Signal.TERM);
        signal(Signal.CONT);
    }

    /**
     * Returns the processes of the tree that still run besides the main process, without zombies.
     *
     * @return their pids in the sandbox's PID namespace; empty if the sandbox ends together with its main process, so
     *     that none can be left
     */
    Optional<Set<Long>> leftovers();
}
