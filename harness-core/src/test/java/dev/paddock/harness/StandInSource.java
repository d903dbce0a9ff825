package dev.paddock.harness;

import dev.paddock.harness.tool.Tool;
import dev.paddock.harness.tool.ToolSource;
import java.util.List;

/**
 * Stands in for an MCP server, or for a directory of skills, in this process. It writes down what is done with it.
 *
 * @param done what was done, in order
 */
record StandInSource(String name, List<Tool> tools, String prompt, List<String> done) implements ToolSource {

    @Override
    public Opened open(Place place) {
        done.add("opened " + name + " for " + place.worktree().commandPath());
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
                done.add("closed " + name);
            }
        };
    }
}
