package dev.paddock.cli.sessions;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.ToolCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a session's conversation in lines for people. A transcript is not trusted. */
final class TranscriptText {
    private static final String MARGIN = "    ";

    private final Style style;
    private final List<String> lines = new ArrayList<>();

    private TranscriptText(Style style) {
        this.style = style;
    }

    static List<String> lines(StoredSession session, SessionNote note, Style style) {
        TranscriptText text = new TranscriptText(style);
        text.lines.add(style.bold("session " + Printable.text(session.id())));
        facts(session, note)
                .forEach((name, value) -> text.lines.add(
                        style.dim("  " + name + " ".repeat(11 - name.length())) + Printable.text(value)));
        session.messages().forEach(text::add);
        return text.lines;
    }

    /** Returns the facts about a session by their names, which have at most ten letters. */
    static Map<String, String> facts(StoredSession session, SessionNote note) {
        Map<String, String> facts = new LinkedHashMap<>();
        note.model().ifPresent(model -> facts.put("model", model.provider() + " " + model.name()));
        note.workspace().ifPresent(id -> facts.put("workspace", id));
        note.worktree().ifPresent(path -> facts.put("worktree", path));
        facts.put("last used", SessionList.time(session.lastUsed()));
        return facts;
    }

    private void add(Message message) {
        switch (message) {
            case Message.User user -> {
                lines.add("");
                String shown = Printable.text(user.text().strip()).replace("\n", "\n  ");
                lines.add(style.bold("> ") + shown);
            }
            case Message.Assistant assistant -> {
                if (!assistant.text().isBlank()) {
                    lines.add(Printable.text(assistant.text().strip()));
                }
                assistant
                        .toolCalls()
                        .forEach(call -> lines.add("  " + style.bold(Printable.text(call.name())) + "  "
                                + Printable.text(subject(call)).replace("\n", "\n" + MARGIN)));
            }
            case Message.ToolResults results -> results.results().forEach(this::add);
        }
    }

    private void add(Message.ToolOutcome outcome) {
        String head = (outcome.isError() ? style.bad("failed") : style.good("done"));
        lines.add(MARGIN + Printable.text(outcome.tool()) + " " + head);
        Printable.text(outcome.text().strip()).lines().forEach(line -> lines.add(style.dim(MARGIN + line)));
    }

    /** Returns a call's subject, or all of its arguments. */
    static String subject(ToolCall call) {
        return CallText.subject(call)
                .orElseGet(() -> call.arguments().members().isEmpty()
                        ? ""
                        : call.arguments().toString());
    }
}
