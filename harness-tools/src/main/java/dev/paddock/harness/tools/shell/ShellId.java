package dev.paddock.harness.tools.shell;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.text.Schema;
import java.util.stream.Stream;

/**
 * Defines and reads the argument that names a shell. It has two names, because models confuse those
 * of the two tools.
 */
final class ShellId {
    static final String BASH_ID = "bash_id";
    static final String SHELL_ID = "shell_id";

    private ShellId() {}

    /**
     * Returns a schema with the argument under both names; neither is required, because either
     * suffices.
     */
    static Schema schema(String name) {
        String other = name.equals(BASH_ID) ? SHELL_ID : BASH_ID;
        return new Schema()
                .optional(name, "string", "The shell's id, such as bash_1.")
                .optional(other, "string", "Another name for " + name + ".");
    }

    static String of(ObjectNode arguments, String name) {
        return Stream.of(BASH_ID, SHELL_ID)
                .filter(arguments::hasNonNull)
                .map(given -> arguments.get(given).asText())
                .distinct()
                .reduce((one, other) -> {
                    throw new ToolException("Two shells are named, " + one + " and " + other + ". Name one.");
                })
                .orElseThrow(() -> new ToolException("'" + name + "' is missing: name a shell, such as bash_1."));
    }
}
