package dev.paddock.harness;

import dev.paddock.harness.loop.ToolChoice;
import dev.paddock.harness.tools.DocumentReader;
import dev.paddock.harness.tools.EditorBuffers;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Collects the tools of {@link AgentSessionBuilder} and {@link ToolboxBuilder}: a {@link ToolSelection}. */
abstract sealed class ToolOptions<B extends ToolOptions<B>> permits CommandOptions {
    private ToolSelection.Builder selection = ToolSelection.builder();
    private boolean isSelected;
    Optional<DocumentReader> documents = Optional.empty();
    Optional<EditorBuffers> editorBuffers = Optional.empty();

    ToolOptions() {}

    abstract B self();

    private ToolSelection.Builder selection() {
        isSelected = true;
        return selection;
    }

    /**
     * Selects the tools. {@link #tools(List)}, {@link #addTool}, {@link #toolSource}, {@link #skills},
     * {@link #closedToolSet} and {@link #disallowedTools} are short forms, which change the selection.
     *
     * @param value the selection; the default tools by default
     * @throws IllegalStateException if a short form was called before: its effect would be lost
     */
    public B tools(ToolSelection value) {
        if (isSelected) {
            throw new IllegalStateException("tools(ToolSelection) would drop the tools that were selected before it:"
                    + " call it first, or select all tools in the ToolSelection");
        }
        isSelected = true;
        selection = value.toBuilder();
        return self();
    }

    /** Replaces the default tools, as {@link ToolSelection.Builder#tools} does. */
    public B tools(List<Tool> value) {
        selection().tools(value);
        return self();
    }

    /** Adds a tool after the others, as {@link ToolSelection.Builder#addTool} does. */
    public B addTool(Tool value) {
        selection().addTool(value);
        return self();
    }

    /**
     * Adds the tools of an external source, typically an MCP server, as {@link ToolSelection.Builder#toolSource} does.
     */
    public B toolSource(ToolSource value) {
        selection().toolSource(value);
        return self();
    }

    /** Sets the source of skills, as {@link ToolSelection.Builder#skills} does. */
    public B skills(ToolSource value) {
        selection().skills(value);
        return self();
    }

    /** Restricts the session to its own tools, as {@link ToolSelection.Builder#closedToolSet} does. */
    public B closedToolSet(boolean value) {
        selection().closedToolSet(value);
        return self();
    }

    /** Removes tools by name, as {@link ToolSelection.Builder#disallowedTools} does. */
    public B disallowedTools(Collection<String> value) {
        selection().disallowedTools(value);
        return self();
    }

    /**
     * Has {@code read} show documents that are not text, such as PDF files with {@code paddock-harness-pdf}.
     *
     * @param value shows them; by default {@code read} says what kind of file it is
     */
    public B documents(DocumentReader value) {
        documents = Optional.of(value);
        return self();
    }

    /**
     * Has {@code read} return the editor's text for a file in the session's directory, and {@code edit} and
     * {@code write} refuse a file with unsaved changes. A session in a workspace does not use it: no editor has its
     * files open.
     *
     * @param value asks the editor; by default the file tools know only the files on disk
     */
    public B editorBuffers(EditorBuffers value) {
        editorBuffers = Optional.of(value);
        return self();
    }

    final ToolChoice toolChoice() {
        return selection.choice();
    }
}
