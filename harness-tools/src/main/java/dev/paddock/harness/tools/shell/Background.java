package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.DeniedException;

/** What becomes of a command that is to run in the background. */
public interface Background {

    /** Background commands are switched off: such a command is refused, not run. */
    Background OFF = new Background() {
        @Override
        public boolean available() {
            return false;
        }

        @Override
        public ToolResult start(String command, ToolContext context, AuditTrail.Entry audit) {
            throw new DeniedException("Background commands are switched off in this session: the command was not run. "
                    + "Call bash again without run_in_background, with a timeout that it can keep.");
        }
    };

    /**
     * Whether a command can run in the background.
     *
     * @return the same on each call
     */
    boolean available();

    /**
     * Starts a command in the background, or says why not.
     *
     * @param command the command
     * @param context the call's context
     * @param audit accounts for the command; ended by this method's implementation when the command is over
     * @return what the model is told
     */
    ToolResult start(String command, ToolContext context, AuditTrail.Entry audit);
}
