package dev.paddock.harness.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Sends the results of tools with the last images of a conversation: providers bound a request. */
final class SentImages {
    /** Fewer than any supported provider takes. */
    static final int MAX_IMAGES = 20;

    /** The most characters of all images in a request. */
    private static final int MAX_CHARACTERS = 16 << 20;

    private final Set<Message.ToolOutcome> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    private final boolean any;
    private final boolean inResults;

    private SentImages(boolean any, boolean inResults) {
        this.any = any;
        this.inResults = inResults;
    }

    /**
     * Chooses the images.
     *
     * @param any whether the model takes images
     * @param inResults whether the provider takes them in results; to others they are sent as a
     *     message of the user
     */
    static SentImages of(List<Message> messages, boolean any, boolean inResults) {
        SentImages sent = new SentImages(any, inResults);
        int images = 0;
        long characters = 0;
        for (Message message : any ? messages.reversed() : List.<Message>of()) {
            if (message instanceof Message.ToolResults results) {
                for (Message.ToolOutcome outcome : results.results().reversed()) {
                    images += outcome.images().size();
                    characters += outcome.images().stream()
                            .mapToLong(image -> image.base64().length())
                            .sum();
                    if (images <= MAX_IMAGES && characters <= MAX_CHARACTERS) {
                        sent.shown.add(outcome);
                    }
                }
            }
        }
        return sent;
    }

    /** Returns the messages with the results of a turn's calls. */
    List<ChatMessage> messages(Message.ToolResults results) {
        List<ChatMessage> messages = new ArrayList<>();
        List<Content> after = new ArrayList<>();
        for (Message.ToolOutcome outcome : results.results()) {
            List<Content> images = shown.contains(outcome)
                    ? outcome.images().stream().map(SentImages::content).toList()
                    : List.of();
            ToolExecutionResultMessage.Builder message = ToolExecutionResultMessage.builder()
                    .id(outcome.callId())
                    .toolName(outcome.tool())
                    .isError(outcome.isError());
            if (inResults && !images.isEmpty()) {
                List<Content> contents = new ArrayList<>(List.of(TextContent.from(Requests.spoken(outcome.text()))));
                contents.addAll(images);
                messages.add(message.contents(contents).build());
            } else {
                messages.add(message.text(Requests.spoken(text(outcome))).build());
                after.addAll(images);
            }
        }
        if (!after.isEmpty()) {
            after.addFirst(TextContent.from("The images of these results, in order:"));
            messages.add(UserMessage.from(after));
        }
        return messages;
    }

    private static Content content(ToolResult.Image image) {
        return ImageContent.from(image.base64(), image.mediaType());
    }

    private String text(Message.ToolOutcome outcome) {
        if (outcome.images().isEmpty() || shown.contains(outcome)) {
            return outcome.text();
        }
        return any
                ? outcome.text() + "\n[This image is not shown any more: only the last ones of a conversation are.]"
                : Excerpt.withoutImages(outcome.text(), outcome.images());
    }
}
