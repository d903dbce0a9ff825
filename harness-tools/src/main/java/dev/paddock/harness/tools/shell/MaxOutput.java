package dev.paddock.harness.tools.shell;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.output.Captured;
import dev.paddock.harness.tools.output.Tail;
import dev.paddock.harness.tools.text.Schema;

/** Defines and reads the argument that bounds the output in a result, the same for every tool. */
final class MaxOutput {
    private static final String NAME = "max_output";

    private MaxOutput() {}

    static Schema describe(Schema schema, int otherwise) {
        return schema.optional(
                NAME,
                "integer",
                "The most characters of output to return, its beginning and its end (default " + otherwise
                        + ", at most " + Captured.MAX_OUTPUT + "). Optional.");
    }

    /** Describes, for the model, which part of a long output a result contains. */
    static String description(int most) {
        return most < Captured.MAX_OUTPUT
                ? "the beginning and the end are returned, " + most + " characters"
                : "the last " + Tail.MAX_LINES + " lines or " + Tail.MAX_BYTES + " bytes are returned";
    }

    static int in(Json arguments, int otherwise) {
        double given = arguments.number(NAME).orElse(otherwise);
        if (given < 1) {
            throw new ToolException("max_output is " + arguments.get(NAME).orElseThrow()
                    + ": give a number of characters, 1 or more. Nothing was done.");
        }
        return (int) Math.min(given, Captured.MAX_OUTPUT);
    }
}
