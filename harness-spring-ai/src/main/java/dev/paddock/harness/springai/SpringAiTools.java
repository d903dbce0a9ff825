package dev.paddock.harness.springai;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Offers a toolbox to the models of a Spring AI application. The application brings Spring AI.
 *
 * <pre>{@code
 * ChatClient.create(chatModel).prompt(text).tools(SpringAiTools.of(toolbox)).call().content()
 * }</pre>
 *
 * @since 0.1
 */
public final class SpringAiTools {

    private SpringAiTools() {}

    /**
     * Returns the tools of a toolbox as tool callbacks.
     *
     * <p>A callback runs its call on the thread of its caller, and returns the result's text, also
     * if the call failed: the text tells the model the reason. Of an image, which Spring AI's results cannot contain,
     * the text says that the model does not see it. Interrupting the thread or closing
     * the toolbox aborts the call. After the toolbox is closed, the callbacks throw {@link
     * IllegalStateException}.
     *
     * @param toolbox the toolbox; the caller keeps it, and closes it after the last call
     * @return a callback for each tool, with the tool's name, description and argument schema;
     *     thread-safe
     */
    public static ToolCallbackProvider of(Toolbox toolbox) {
        return ToolCallbackProvider.from(toolbox.tools().stream()
                .map(tool -> new Callback(toolbox, definition(tool)))
                .toList());
    }

    private static ToolDefinition definition(Tool tool) {
        return ToolDefinition.builder()
                .name(tool.name())
                .description(tool.description())
                .inputSchema(tool.inputSchema().toString())
                .build();
    }

    private record Callback(Toolbox toolbox, ToolDefinition definition) implements ToolCallback {

        @Override
        public ToolDefinition getToolDefinition() {
            return definition;
        }

        @Override
        public String call(String arguments) {
            ToolResult result = toolbox.call(definition.name(), arguments, AbortSignal.never());
            return Excerpt.withoutImages(result.text(), result.images());
        }
    }
}
