package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks a command before it is passed to the executor. */
@FunctionalInterface
public interface CommandGate {

    /**
     * Returns normally if the command may run, or throws a
     * {@link dev.paddock.harness.tools.ToolException} whose message gives the model the reason.
     *
     * @param command the whole command
     * @param signal aborted when the command is no longer wanted
     */
    void pass(String command, AbortSignal signal);

    /**
     * Describes to the model, in advance, which commands this gate accepts.
     *
     * @return whole sentences; empty if there is nothing to say
     */
    default String rule() {
        return "";
    }

    /**
     * Returns a gate that applies this gate and then another.
     *
     * @param next the gate that is asked if this one accepts the command
     * @return the combined gate; its rule is that of both
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
                return Stream.of(first.rule(), next.rule())
                        .filter(rule -> !rule.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(" "));
            }
        };
    }
}
