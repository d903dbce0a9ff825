package dev.paddock.harness.loop;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import java.util.function.Consumer;

/** The context of a running tool call. Drops updates after the call has ended. */
final class LiveCall implements ToolContext {
    private final ToolCall call;
    private final AbortSignal signal;
    private final EventHub events;
    private final Consumer<String> updates;
    private boolean over;

    LiveCall(ToolCall call, AbortSignal signal, EventHub events, Consumer<String> updates) {
        this.call = call;
        this.signal = signal;
        this.events = events;
        this.updates = updates;
    }

    @Override
    public AbortSignal signal() {
        return signal;
    }

    @Override
    public synchronized void update(String textSoFar) {
        if (!over) {
            events.post(new SessionEvent.ToolUpdated(call, textSoFar));
            updates.accept(textSoFar);
        }
    }

    /** Posts the event that ends the call, once; drops a later one, from an abandoned tool. */
    synchronized void end(SessionEvent.ToolEnded event) {
        if (!over) {
            over = true;
            events.post(event);
        }
    }
}
