package dev.paddock.harness.tools.shell;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.output.Captured;
import dev.paddock.harness.tools.output.Tail;
import dev.paddock.harness.tools.text.Schema;

/** Defines and reads the argument that bounds the output in a result, the same one for every tool. */
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

    /** Says, for the model, what of a long output a result has. */
    static String description(int most) {
        return most < Captured.MAX_OUTPUT
                ? "the beginning and the end are returned, " + most + " characters"
                : "the last " + Tail.MAX_LINES + " lines or " + Tail.MAX_BYTES + " bytes are returned";
    }

    static int in(ObjectNode arguments, int otherwise) {
        JsonNode given = arguments.path(NAME);
        if (given.isMissingNode()) {
            return otherwise;
        }
        if (!given.isNumber() || given.asLong() < 1) {
            throw new ToolException(
                    "max_output is " + given + ": give a number of characters, 1 or more. Nothing was done.");
        }
        return (int) Math.min(given.asLong(), Captured.MAX_OUTPUT);
    }
}
