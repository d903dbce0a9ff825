package dev.paddock.harness.tools.shell;

import dev.paddock.executor.PublishedPort;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.DeniedException;
import java.util.Optional;

/** Starts commands in the background, or refuses to. */
public interface Background {

    /** Refuses background commands without running them, for sessions that disable them. */
    Background OFF = new Background() {
        @Override
        public boolean available() {
            return false;
        }

        @Override
        public ToolResult start(
                String command,
                String in,
                ShellInput input,
                Optional<PublishedPort> port,
                ToolContext context,
                AuditTrail.Entry audit) {
            throw new DeniedException("Background commands are switched off in this session: the command was not run. "
                    + "Call bash again without run_in_background, with a timeout that it can meet.");
        }
    };

    /**
     * Returns whether commands can run in the background.
     *
     * @return the same on each call
     */
    boolean available();

    /**
     * Starts a command in the background, or returns why it was not started.
     *
     * @param command the command
     * @param in the directory that it starts in, as a command path
     * @param input what the command reads
     * @param port the port of the command that the user's programs reach
     * @param context the call's context
     * @param audit the command's audit entry; the implementation ends it when the command has ended
     * @return the result for the model
     */
    ToolResult start(
            String command,
            String in,
            ShellInput input,
            Optional<PublishedPort> port,
            ToolContext context,
            AuditTrail.Entry audit);
}
