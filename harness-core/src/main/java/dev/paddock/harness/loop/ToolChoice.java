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
 * Which tools a session is to have.
 *
 * @param base made of the default tools; {@link UnaryOperator#identity()} leaves them as they are
 * @param more added to those
 * @param overrides by name, in place of the tool of that name, or else added
 * @param sources where further tools come from, in order
 * @param skills where the skill tool comes from, after all others
 * @param web the web's tools, which follow the default ones
 * @param closed whether sources and skills are left alone
 * @param disallowed names of tools that are left out in the end
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

    /** The sources in the order in which their tools follow the session's own. */
    public List<ToolSource> sourcesToOpen() {
        return closed
                ? List.of()
                : Stream.concat(sources.stream(), skills.stream()).toList();
    }
}
