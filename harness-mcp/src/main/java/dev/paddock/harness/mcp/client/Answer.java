package dev.paddock.harness.mcp.client;

import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts a server's answer to text for the model, with a note on content that is not text. */
public final class Answer {
    /** The maximum length of an answer, in characters. */
    public static final int MAX_CHARACTERS = Excerpt.MAX_RESULT;

    private Answer() {}

    static ToolResult of(McpSchema.CallToolResult result) {
        List<McpSchema.Content> parts = Optional.ofNullable(result.content()).orElseGet(List::of);
        String text = parts.stream().map(Answer::text).collect(Collectors.joining("\n"));
        if (text.isEmpty() && result.structuredContent() != null) {
            text = WireJson.text(result.structuredContent());
        }
        String shown = cut(text);
        return Boolean.TRUE.equals(result.isError()) ? ToolResult.error(shown) : ToolResult.ok(shown);
    }

    private static String text(McpSchema.Content part) {
        return switch (part) {
            case McpSchema.TextContent text -> text.text();
            case McpSchema.ImageContent image -> "(an image, " + image.mimeType() + ", which is not shown)";
            case McpSchema.AudioContent audio -> "(a sound, " + audio.mimeType() + ", which is not played)";
            case McpSchema.ResourceLink link -> "(a resource: " + link.uri() + ")";
            case McpSchema.EmbeddedResource embedded
            when embedded.resource() instanceof McpSchema.TextResourceContents resource -> resource.text();
            default -> "(something of type " + part.type() + ", which is not shown)";
        };
    }

    private static String cut(String text) {
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        int end = Excerpt.end(text, MAX_CHARACTERS);
        return text.substring(0, end) + "\n\n(" + (text.length() - end)
                + " more characters are left out: an answer may have " + MAX_CHARACTERS + ")";
    }
}
