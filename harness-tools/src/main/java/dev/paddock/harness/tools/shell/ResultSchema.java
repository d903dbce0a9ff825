package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.text.Schema;

/** Describes the details of results, as {@link CommandReport} and {@link BackgroundShell} give them. */
final class ResultSchema {
    private ResultSchema() {}

    /** Returns the schema of a command that has ended, or was started in the background. */
    static Json command() {
        Schema schema = new Schema()
                .optional("timeoutMillis", "integer", "The time limit that the command reached.")
                .optional("reason", "string", "Why a lost command was lost.")
                .optional("confirmed", "boolean", "Whether the command's process was seen to end.")
                .optional("durationMillis", "integer", "How long the command ran.")
                .optional("leftoversEnded", "integer", "Processes that the command left running and that were ended.")
                .optional("nextDirectory", "string", "Where the next command starts, if not where the first did.");
        return output(status(shell(schema)))
                .optional("pid", "integer", "The process of a command in the background.")
                .build();
    }

    /** Returns the schema of a background shell's state. */
    static Json shell() {
        return output(status(shell(new Schema())))
                .optional("status", "string", "running, completed, failed or killed.")
                .optional("millisSinceStart", "integer", "How long the shell has run, or ran.")
                .build();
    }

    private static Schema shell(Schema schema) {
        return schema.optional(ShellId.NAME, "string", "The background shell's id.")
                .optional("published", "string", "Where the user's machine reaches the published port.");
    }

    private static Schema status(Schema schema) {
        return schema.optional("outcome", "string", "ended, out-of-memory, timed-out, aborted or lost.")
                .optional("exitCode", "integer", "The exit code; 128 + n after the signal n.")
                .optional("signal", "string", "The signal that ended the command.")
                .optional("limitBytes", "integer", "The memory limit that the command exceeded.");
    }

    private static Schema output(Schema schema) {
        return schema.optional("totalBytes", "integer", "The size of the whole output.")
                .optional("totalLines", "integer", "The number of lines of the whole output.")
                .optional("truncated", "boolean", "Whether the text is not all of the output.")
                .optional("log", "string", "The file with the whole output, if the text is not all of it.")
                .optional("logBytes", "integer", "How much of the output the file holds.");
    }
}
