package dev.paddock.harness.command;

import dev.paddock.executor.AbortSignal;

/** What a command has to pass before it is handed to the executor. */
@FunctionalInterface
public interface CommandGate {

    /**
     * Lets the command pass, or throws a {@link dev.paddock.harness.tool.ToolException} that tells the model why not.
     *
     * @param command the command, whole
     * @param signal aborted when the command is no longer wanted
     */
    void pass(String command, AbortSignal signal);
}
