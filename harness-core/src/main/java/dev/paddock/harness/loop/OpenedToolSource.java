package dev.paddock.harness.loop;

import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tool source that a session has opened, with its name. */
public record OpenedToolSource(String name, ToolSource.Opened opened) {

    /** Opens a source; the caller closes the result. */
    public static OpenedToolSource of(ToolSource source, ToolSource.Place place) {
        try {
            String name = source.name();
            ToolSource.Opened opened = source.open(place);
            if (opened == null) {
                throw new IllegalStateException(
                        source.getClass().getName() + ".open returned null instead of its tools");
            }
            return new OpenedToolSource(name, opened);
        } catch (RuntimeException fault) {
            throw new IllegalStateException(
                    "the tools of '" + source.name() + "' are not available: " + fault.getMessage()
                            + ". The session does not start without them; fix the source or leave it out.",
                    fault);
        }
    }

    List<Tool> tools() {
        return given("tools", opened.tools());
    }

    /**
     * Returns the source's part of the system prompt; empty if all its tools have been removed, since it would describe
     * missing tools.
     */
    public String prompt(ToolSet tools) {
        boolean left = tools().isEmpty()
                || tools().stream().anyMatch(tool -> tools.named(tool.name()).isPresent());
        return left ? given("prompt", opened.prompt()) : "";
    }

    public List<String> problems() {
        return given("problems", opened.problems());
    }

    /** Rejects null: an integrator's code may be compiled without null checks. */
    private <T> T given(String method, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the tools of '" + name + "' cannot be used: "
                    + opened.getClass().getName() + "." + method
                    + " returned null, where an empty value stands for none");
        }
        return value;
    }

    public void close() {
        opened.close();
    }
}
