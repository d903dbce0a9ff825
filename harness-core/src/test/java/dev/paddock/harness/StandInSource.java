package dev.paddock.harness;

import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stands in, within this JVM, for an MCP server or a directory of skills.
 *
 * @param done is called with each operation
 */
record StandInSource(String name, List<Tool> tools, String prompt, Consumer<String> done) implements ToolSource {

    @Override
    public Opened open(Place place) {
        done.accept("opened " + name + " for " + place.worktree().commandPath());
        return new Opened() {
            @Override
            public List<Tool> tools() {
                return tools;
            }

            @Override
            public String prompt() {
                return prompt;
            }

            @Override
            public void close() {
                done.accept("closed " + name);
            }
        };
    }
}
