package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import java.util.Optional;
import java.util.Set;

/**
 * Reaches all processes that a command has started, and nothing else: not the sandbox, not another
 * command, not the host.
 *
 * <p>Methods may be called from several threads at once, and are bounded: 2 seconds at most.
 *
 * @since 0.1
 */
public interface ProcessTree {

    /**
     * Sends a signal to every live member of the tree, the main process included, and to none that a
     * handler of the signal starts. With KILL it repeats the search until it finds no new process, so
     * that it reaches a tree that forks meanwhile.
     *
     * @param signal the signal
     * @return whether at least one process could be signaled
     */
    boolean signal(Signal signal);

    /**
     * Asks every live member of the tree to end: SIGTERM, and SIGCONT, since a stopped process does not
     * see SIGTERM before. A sandbox that ends with its main process outlives it, until every member has
     * ended or KILL is sent.
     */
    default void terminate() {
        signal(Signal.TERM);
        signal(Signal.CONT);
    }

    /**
     * Returns the processes of the tree that still run besides the main process. Zombies are not
     * included.
     *
     * @return their pids in the sandbox's PID namespace; empty if the sandbox ends together with
     *     its main process, so that there is no process to look for and no number to report
     */
    Optional<Set<Long>> leftovers();
}
