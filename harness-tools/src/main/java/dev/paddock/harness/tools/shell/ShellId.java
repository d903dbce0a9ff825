package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.text.Schema;

/** Defines and reads the argument that names a shell, the same for every tool. */
final class ShellId {
    static final String NAME = "shell_id";

    private ShellId() {}

    /** Returns a schema that requires the argument. */
    static Schema schema() {
        return new Schema().required(NAME, "string", "The shell's id, such as bash_1.");
    }

    static String of(Json arguments) {
        return arguments
                .text(NAME)
                .orElseThrow(() -> new ToolException("'" + NAME + "' is missing: name a shell, such as bash_1."));
    }
}
