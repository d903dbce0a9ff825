package dev.paddock.executor.process.warm;

import java.io.IOException;

/** A command that what waits for it has half been told: it has its directory and its variables, and has not started. */
@FunctionalInterface
public interface PreparedCommand {

    /**
     * Starts the command.
     *
     * @return the answer of what has waited; what it has not called ready has not run
     * @throws IOException if what has waited has ended or says something else; the message has what it said. Nothing has run
     * @throws dev.paddock.executor.SpawnException if the command cannot be started for a reason that is no answer of its own
     */
    CommandRequest.Answer become() throws IOException;
}
