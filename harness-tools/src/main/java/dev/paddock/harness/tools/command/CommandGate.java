package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;

/** What a command has to pass before it is handed to the executor. */
@FunctionalInterface
public interface CommandGate {

    /**
     * Lets the command pass, or throws a {@link dev.paddock.harness.tools.ToolException} that tells the model why not.
     *
     * @param command the command, whole
     * @param signal aborted when the command is no longer wanted
     */
    void pass(String command, AbortSignal signal);

    /**
     * What the model is told beforehand of the commands that pass.
     *
     * @return whole sentences; empty if there is nothing to tell
     */
    default String rule() {
        return "";
    }

    /**
     * This gate, and after it another.
     *
     * @param next what is asked once this one lets a command pass
     * @return both; the rule is this one's
     */
    default CommandGate then(CommandGate next) {
        CommandGate first = this;
        return new CommandGate() {
            @Override
            public void pass(String command, AbortSignal signal) {
                first.pass(command, signal);
                next.pass(command, signal);
            }

            @Override
            public String rule() {
                return first.rule();
            }
        };
    }
}
