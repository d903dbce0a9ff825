package dev.paddock.cli.agent;

import dev.paddock.cli.dialogue.Dialogue;
import dev.paddock.cli.sessions.LastExchange;
import dev.paddock.cli.terminal.Canvas;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.RedrawnLines;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Shows a session: live on a terminal, in lines elsewhere, or as JSON; and sums up its cost. */
public final class AgentView implements SessionListener, AutoCloseable {
    /**
     * Bounds how long a listener may block on a slow reader. A reader of the output, such as a pager, may take its
     * time, as with any other command's output. Paddock detects a reader that has closed the pipe, and a signal
     * shortens the wait.
     */
    public static final Duration READERS_PATIENCE = Duration.ofDays(7);

    private final UsageSummary tally;
    private final SessionListener view;
    private final Optional<LiveView> live;
    private final boolean isJson;

    private AgentView(UsageSummary tally, SessionListener view, Optional<LiveView> live, boolean isJson) {
        this.tally = tally;
        this.view = view;
        this.live = live;
        this.isJson = isJson;
    }

    static AgentView json(Console console) {
        return new AgentView(new UsageSummary(), new JsonEvents(console.out()), Optional.empty(), true);
    }

    static AgentView lines(Console console, Style style) {
        return new AgentView(new UsageSummary(), new Screen(console.out(), style), Optional.empty(), false);
    }

    /** Shows a session whose prompt is given, on a terminal. */
    static AgentView live(Console console, Style style) {
        RedrawnLines canvas = console.canvas();
        console.process().onSignal("WINCH", canvas::resized);
        return on(canvas, style, new UsageSummary(), event -> List.of());
    }

    /**
     * Shows a session whose prompts are typed.
     *
     * @param resumed the resumed session, whose last exchange follows its header
     */
    static AgentView of(Dialogue dialogue, UsageSummary tally, Style style, Optional<StoredSession> resumed) {
        Canvas canvas = dialogue.canvas();
        return on(canvas, style, tally, event -> {
            List<String> lines = new ArrayList<>(dialogue.header(event));
            if (event instanceof SessionEvent.SessionStarted) {
                resumed.ifPresent(session -> lines.addAll(LastExchange.lines(session, style, canvas.width() - 1)));
            }
            return lines;
        });
    }

    private static AgentView on(
            Canvas canvas, Style style, UsageSummary tally, Function<SessionEvent, List<String>> header) {
        LiveView live = new LiveView(canvas, style, tally, header);
        return new AgentView(tally, live, Optional.of(live), false);
    }

    @Override
    public void onEvent(SessionEvent event) {
        tally.onEvent(event);
        view.onEvent(event);
    }

    /** Returns one line that sums up the session's usage and work; empty with JSON. */
    Optional<String> summary() {
        return isJson ? Optional.empty() : Optional.of(tally.closing());
    }

    @Override
    public void close() {
        live.ifPresent(LiveView::close);
    }
}
