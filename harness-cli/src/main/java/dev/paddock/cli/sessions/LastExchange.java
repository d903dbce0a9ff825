package dev.paddock.cli.sessions;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.model.Message;
import java.util.ArrayList;
import java.util.List;

/** The last prompt of a resumed session, and the model's last text. */
public final class LastExchange {
    private static final int MAX_LINES = 8;

    private LastExchange() {}

    /**
     * Returns the exchange in lines; none if the session has no prompt.
     *
     * @param columns the most columns of a line
     */
    public static List<String> lines(StoredSession session, Style style, int columns) {
        String prompt = "";
        String answer = "";
        for (Message message : session.messages()) {
            switch (message) {
                case Message.User asked -> {
                    prompt = asked.text();
                    answer = "";
                }
                case Message.Assistant said -> answer = said.text().isBlank() ? answer : said.text();
                case Message.ToolResults ignored -> {}
            }
        }
        List<String> lines = new ArrayList<>();
        if (!prompt.isBlank()) {
            lines.add(style.bold("> ") + Printable.line(prompt.strip(), columns - 2));
            List<String> said = answer.strip().lines().toList();
            said.stream().limit(MAX_LINES).forEach(line -> lines.add(style.dim(Printable.line(line, columns))));
            if (said.size() > MAX_LINES) {
                lines.add(style.dim("(" + (said.size() - MAX_LINES) + " more lines: 'paddock sessions show "
                        + session.id() + "')"));
            }
        }
        return List.copyOf(lines);
    }
}
