package dev.paddock.harness;

import dev.paddock.harness.tool.Tool;
import dev.paddock.harness.tool.ToolSource;
import java.util.List;

/** A source of tools that a session has opened, under its name. */
record OpenSource(String name, ToolSource.Opened opened) {

    /** Opens a source; whoever calls this closes it. */
    static OpenSource of(ToolSource source, ToolSource.Place place) {
        try {
            return new OpenSource(source.name(), source.open(place));
        } catch (RuntimeException fault) {
            throw new IllegalStateException(
                    "the tools of '" + source.name() + "' cannot be had: " + fault.getMessage()
                            + ". There is no session without them; mend the source or leave it out.",
                    fault);
        }
    }

    List<Tool> tools() {
        return opened.tools();
    }

    /** Empty if all its tools have been left out: the model would be told of what it cannot use. */
    String prompt(ToolSet tools) {
        boolean left = tools().isEmpty()
                || tools().stream().anyMatch(tool -> tools.named(tool.name()).isPresent());
        return left ? opened.prompt() : "";
    }

    List<String> problems() {
        return opened.problems();
    }

    void close() {
        opened.close();
    }
}
