package dev.paddock.harness.loop;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import java.util.function.Consumer;

/** A call under way, as its tool sees it. Once it is over, nothing of it comes through any more. */
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

    /** Posts what ends the call, once; what comes later, from a tool that was given up, is dropped. */
    synchronized void end(SessionEvent.ToolEnded event) {
        if (!over) {
            over = true;
            events.post(event);
        }
    }
}
