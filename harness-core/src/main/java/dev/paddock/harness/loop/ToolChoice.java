package dev.paddock.harness.loop;

import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Selects the tools of a session.
 *
 * @param base derives the session's tools from the default ones; {@link UnaryOperator#identity()}
 *     leaves them unchanged
 * @param more tools that are added to those
 * @param overrides tools by name; each replaces the tool of that name, or is added
 * @param sources sources of further tools, in order
 * @param skills the source of the skill tool, which follows all others
 * @param web the web tools, which follow the default ones
 * @param closed whether sources and skills are ignored
 * @param disallowed names of tools that are removed last
 */
public record ToolChoice(
        UnaryOperator<List<Tool>> base,
        List<Tool> more,
        Map<String, Tool> overrides,
        List<ToolSource> sources,
        Optional<ToolSource> skills,
        List<Tool> web,
        boolean closed,
        Set<String> disallowed) {

    /** Returns the sources in the order in which their tools follow the session's own. */
    public List<ToolSource> sourcesToOpen() {
        return closed
                ? List.of()
                : Stream.concat(sources.stream(), skills.stream()).toList();
    }
}
