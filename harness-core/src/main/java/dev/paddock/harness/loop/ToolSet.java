package dev.paddock.harness.loop;

import dev.paddock.harness.model.ToolSpecification;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A session's tools in order, with unique names. Applies the parts of a {@link ToolChoice} in order; rejects a name
 * collision with a message that names both tools.
 */
public final class ToolSet {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Map<String, Entry> byName = new LinkedHashMap<>();

    /** A tool and a description of its origin. */
    private record Entry(Tool tool, String origin) {
        String described() {
            return tool.getClass().getName() + " " + origin;
        }
    }

    /** Returns the session's own tools: the default ones, modified by the choice. */
    public static ToolSet of(ToolChoice choice, List<Tool> defaults) {
        ToolSet set = new ToolSet();
        choice.base().apply(defaults).forEach(tool -> set.add(tool, "of the session's tools"));
        choice.more().forEach(tool -> set.add(tool, "that was added"));
        choice.overrides().forEach(set::override);
        return set;
    }

    void add(Tool tool, String origin) {
        requireValid(tool);
        Entry entry = new Entry(tool, origin);
        Entry other = byName.putIfAbsent(tool.name(), entry);
        if (other != null) {
            throw new IllegalArgumentException(
                    "two tools are named '" + tool.name() + "': " + other.described() + ", and " + entry.described()
                            + "; give one another name, or override it by ToolSelection.toolOverrides");
        }
    }

    private void override(String name, Tool tool) {
        if (!tool.name().equals(name)) {
            throw new IllegalArgumentException("the override of '" + name + "' is a tool named '" + tool.name() + "' ("
                    + tool.getClass().getName() + "); an override must have the name of the tool that it replaces");
        }
        requireValid(tool);
        byName.put(name, new Entry(tool, "that is an override"));
    }

    public void addAll(OpenedToolSource source) {
        source.tools().forEach(tool -> add(tool, "of '" + source.name() + "'"));
    }

    public void remove(Set<String> disallowed) {
        for (String name : disallowed) {
            if (byName.remove(name) == null) {
                throw new IllegalArgumentException("there is no tool named '" + name
                        + "' to be disallowed; the tools are " + String.join(", ", byName.keySet()));
            }
        }
    }

    private static void requireValid(Tool tool) {
        if (!NAME.matcher(tool.name()).matches()) {
            throw new IllegalArgumentException("a tool's name is not of 1 to 64 letters, digits, '_' and '-': '"
                    + tool.name() + "' (" + tool.getClass().getName() + ")");
        }
        Json schema = tool.inputSchema();
        if (!schema.text("type").equals(Optional.of("object"))) {
            throw new IllegalArgumentException(
                    "the input schema of the tool '" + tool.name() + "' is not of type object, but "
                            + schema.get("type").map(Json::toString).orElse("of none"));
        }
    }

    public List<Tool> all() {
        return byName.values().stream().map(Entry::tool).toList();
    }

    public boolean has(ExecutionSite site) {
        return all().stream().anyMatch(tool -> tool.executionSite() == site);
    }

    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    Optional<Tool> named(String name) {
        return Optional.ofNullable(byName.get(name)).map(Entry::tool);
    }

    List<ToolSpecification> specifications() {
        return all().stream()
                .map(tool -> ToolSpecification.of(tool.name(), tool.description(), tool.inputSchema()))
                .toList();
    }
}
