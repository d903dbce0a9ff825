package dev.paddock.harness;

import dev.paddock.harness.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** The messages so far. What is added is stored first, and then told. */
final class Conversation {
    private final MessageStore store;
    private final EventHub events;
    private final List<Message> messages;

    Conversation(MessageStore store, EventHub events) {
        this.store = store;
        this.events = events;
        this.messages = new ArrayList<>(store.loaded());
        closeOpenCalls();
    }

    /** A session that ended in the midst of its tool calls has calls without results, which no model accepts. */
    private void closeOpenCalls() {
        if (!messages.isEmpty()
                && messages.getLast() instanceof Message.Assistant last
                && !last.toolCalls().isEmpty()) {
            add(new Message.ToolResults(
                    last.toolCalls().stream().map(Conversation::unfinished).toList()));
        }
    }

    private static Message.ToolOutcome unfinished(ToolCall call) {
        return new Message.ToolOutcome(
                call.id(),
                call.name(),
                "The session ended before this call was finished. What it did until then is unknown.",
                true);
    }

    synchronized void add(Message message) {
        store.append(message);
        messages.add(message);
        events.post(new SessionEvent.MessageAdded(message));
    }

    synchronized List<Message> messages() {
        return List.copyOf(messages);
    }
}
