package dev.paddock.executor.process.warm;

import java.io.IOException;

/** A command whose directory and environment are set but which has not been executed. */
@FunctionalInterface
public interface PreparedCommand {

    /**
     * Starts the command.
     *
     * @return the stub's answer; a command that it has not reported as ready has not run
     * @throws IOException if the stub has ended or sent another text; the message has that text.
     *     Nothing has run
     * @throws dev.paddock.executor.SpawnException if the command cannot be started for a reason
     *     without an own {@link CommandRequest.Answer}
     */
    CommandRequest.Answer become() throws IOException;
}
