package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.text.Schema;

/** Defines and reads the argument that asks for output as it was written, the same for every tool. */
final class RawOutput {
    private static final String NAME = "raw";

    private RawOutput() {}

    static Schema describe(Schema schema) {
        return schema.optional(NAME, "boolean", "Keep colors and overwritten lines in the output. Optional.");
    }

    static boolean in(Json arguments) {
        return arguments.flag(NAME);
    }
}
