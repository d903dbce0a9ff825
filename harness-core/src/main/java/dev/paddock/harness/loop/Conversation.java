package dev.paddock.harness.loop;

import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.store.MessageStore;
import dev.paddock.harness.tools.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** The messages so far. A new message is stored first, and then posted to the listeners. */
public final class Conversation {
    private final MessageStore store;
    private final EventHub events;
    private final List<Message> messages;

    public Conversation(MessageStore store, EventHub events) {
        this.store = store;
        this.events = events;
        this.messages = new ArrayList<>(store.loaded());
        closeOpenCalls();
    }

    /**
     * Adds error results for calls without results, which models reject. A session leaves them that ended during the
     * calls, or could not store their results.
     */
    synchronized void closeOpenCalls() {
        if (!messages.isEmpty()
                && messages.getLast() instanceof Message.Assistant last
                && !last.toolCalls().isEmpty()) {
            add(new Message.ToolResults(
                    last.toolCalls().stream().map(Conversation::unfinished).toList()));
        }
    }

    private static Message.ToolOutcome unfinished(ToolCall call) {
        return Message.ToolOutcome.of(
                call.id(),
                call.name(),
                "The session ended before the result of this call was kept. What the call did is unknown.",
                true);
    }

    synchronized void add(Message message) {
        store.append(message);
        messages.add(message);
        events.post(new SessionEvent.MessageAdded(message));
    }

    public synchronized List<Message> messages() {
        return List.copyOf(messages);
    }
}
