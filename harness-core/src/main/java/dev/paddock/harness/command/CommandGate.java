package dev.paddock.harness.command;

import dev.paddock.executor.AbortSignal;

/** What a command has to pass before it is handed to the executor. */
@FunctionalInterface
public interface CommandGate {

    /**
     * Lets the command pass, or throws.
     *
     * @param signal aborted when the command is no longer wanted
     */
    void pass(AbortSignal signal);
}
