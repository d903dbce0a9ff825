package dev.paddock.harness.tools.shell;

import dev.paddock.executor.PublishedPort;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.text.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The argument that publishes a port of a background shell. */
final class ShellPort {
    private static final String NAME = "publish";

    private ShellPort() {}

    /** Adds the argument. */
    static Schema describe(Schema schema) {
        return schema.optional(
                NAME,
                "integer",
                "With run_in_background: the port of the command that the user's programs, such as a browser, shall"
                        + " reach; the result says where. Optional.");
    }

    /**
     * Reads the argument.
     *
     * @return the port, to be published at a free host port; empty if none is to be published
     * @throws ToolException if it is no port
     */
    static Optional<PublishedPort> in(Json arguments) {
        OptionalDouble given = arguments.number(NAME);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PublishedPort(0, (int) given.getAsDouble()));
        } catch (IllegalArgumentException outOfRange) {
            throw new ToolException(
                    "'" + arguments.get(NAME).orElseThrow() + "' is no port; one is within 1 and "
                            + PublishedPort.MAX_PORT + ". The command was not run.",
                    outOfRange);
        }
    }

    /** Returns where the user's programs reach the ports; an empty text if there are none. */
    static String sentence(List<PublishedPort> published) {
        StringBuilder text = new StringBuilder();
        for (PublishedPort port : published) {
            text.append(" Port ")
                    .append(port.port())
                    .append(" is ")
                    .append(port.address())
                    .append(" on the user's machine.");
        }
        return text.toString();
    }

    /** Adds the addresses to a result's details. */
    static void describe(List<PublishedPort> published, Map<String, Object> details) {
        published.forEach(port -> details.put("published", port.address()));
    }
}
