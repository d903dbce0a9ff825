package dev.paddock.harness;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.harness.tool.Tool;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The tools of a session, in order, each name once. */
final class ToolSet {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Map<String, Tool> byName = new LinkedHashMap<>();

    ToolSet(Collection<Tool> tools) {
        for (Tool tool : tools) {
            requireValid(tool);
            Tool other = byName.putIfAbsent(tool.name(), tool);
            if (other != null) {
                throw new IllegalArgumentException("two tools are named '" + tool.name() + "': "
                        + other.getClass().getName() + " and " + tool.getClass().getName() + "; give one another name");
            }
        }
    }

    private static void requireValid(Tool tool) {
        if (!NAME.matcher(tool.name()).matches()) {
            throw new IllegalArgumentException("a tool's name is not of 1 to 64 letters, digits, '_' and '-': '"
                    + tool.name() + "' (" + tool.getClass().getName() + ")");
        }
        JsonNode type = tool.inputSchema().path("type");
        if (!type.asText().equals("object")) {
            throw new IllegalArgumentException(
                    "the input schema of the tool '" + tool.name() + "' is not of type object, but " + type);
        }
    }

    List<Tool> all() {
        return List.copyOf(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    Optional<Tool> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    List<ToolSpecification> specifications() {
        return byName.values().stream()
                .map(tool -> new ToolSpecification(tool.name(), tool.description(), tool.inputSchema()))
                .toList();
    }
}
