package dev.paddock.harness.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.model.ToolSpecification;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;

/**
 * Offers a toolbox to the models of a LangChain4j application. The application brings the artifact
 * {@code dev.langchain4j:langchain4j}, which contains {@code AiServices}.
 *
 * <pre>{@code
 * AiServices.builder(Assistant.class).chatModel(model).toolProvider(LangChain4jTools.of(toolbox)).build()
 * }</pre>
 *
 * @since 0.1
 */
public final class LangChain4jTools {

    private LangChain4jTools() {}

    /**
     * Returns a provider of a toolbox's tools.
     *
     * <p>A call runs on the thread on which the application executes tools. A failed call returns
     * an error result, whose text tells the model the reason. Of an image, the text says that the model does not
     * see it. Interrupting the thread or closing
     * the toolbox aborts the call. After the toolbox is closed, calls throw {@link
     * IllegalStateException}.
     *
     * @param toolbox the toolbox; the caller keeps it, and closes it after the last call
     * @return a provider that offers the same tools for each request; thread-safe
     */
    // If its module were required transitively, programs without it would not compile.
    @SuppressWarnings("exports")
    public static ToolProvider of(Toolbox toolbox) {
        ToolProviderResult.Builder builder = ToolProviderResult.builder();
        for (Tool tool : toolbox.tools()) {
            ToolSpecification description = ToolSpecification.of(tool.name(), tool.description(), tool.inputSchema());
            builder.add(Requests.tool(description, true), new Executor(toolbox));
        }
        ToolProviderResult tools = builder.build();
        return request -> tools;
    }

    private record Executor(Toolbox toolbox) implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return spoken(call(request));
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            ToolResult result = call(request);
            return ToolExecutionResult.builder()
                    .isError(result.isError())
                    .resultText(spoken(result))
                    .build();
        }

        /** Several models refuse a request with an image in a tool's result, and it is not known which one this is. */
        private static String spoken(ToolResult result) {
            return Requests.spoken(Excerpt.withoutImages(result.text(), result.images()));
        }

        private ToolResult call(ToolExecutionRequest request) {
            String arguments = request.arguments();
            return toolbox.call(request.name(), arguments == null ? "" : arguments, AbortSignal.never());
        }
    }
}
