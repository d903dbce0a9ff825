package dev.paddock.cli.sessions;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import java.util.List;
import java.util.Optional;

/**
 * Writes a session's conversation as one self-contained HTML page. A transcript is not trusted: all of it is text in
 * the page, which has no script and, by its content security policy, loads and runs nothing.
 */
final class TranscriptPage {
    /** Longer outputs are folded. */
    private static final int OPEN_LINES = 24;

    private static final int TITLE_COLUMNS = 80;

    private static final String STYLE = """
            :root { color-scheme: light dark; --line: #d0d7de; --soft: #57606a; --box: #f6f8fa; --good: #1a7f37;
              --bad: #cf222e; --add: #e6ffec; --del: #ffebe9; --ask: #ddf4ff; }
            @media (prefers-color-scheme: dark) { :root { --line: #30363d; --soft: #8b949e; --box: #161b22;
              --good: #3fb950; --bad: #f85149; --add: #12261e; --del: #2d1517; --ask: #0c2d4a; } }
            body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
            h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
            dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; color: var(--soft);
              overflow-wrap: anywhere; }
            dd { margin: 0; }
            .text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0; }
            .user { background: var(--ask); border-radius: .5rem; padding: .6rem 1rem; }
            .call { border: 1px solid var(--line); border-radius: .5rem; margin: .8rem 0; overflow: hidden; }
            .call > p { margin: 0; padding: .3rem .8rem; background: var(--box); font-weight: 600; }
            .call .done { color: var(--good); } .call .failed { color: var(--bad); } .call .open { color: var(--soft); }
            pre { margin: 0; padding: .5rem .8rem; font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap;
              overflow-wrap: anywhere; }
            .result { border-top: 1px solid var(--line); color: var(--soft); }
            summary { padding: .3rem .8rem; cursor: pointer; color: var(--soft); }
            del, ins { display: block; text-decoration: none; } del { background: var(--del); } ins { background: var(--add); }
            footer { margin: 2rem 0; color: var(--soft); font-size: .85rem; }
            """;

    private final StringBuilder page = new StringBuilder();
    private final List<Message> messages;

    private TranscriptPage(List<Message> messages) {
        this.messages = messages;
    }

    /** Returns the page, in UTF-8 without characters that steer a display. */
    static String of(StoredSession session, SessionNote note) {
        TranscriptPage one = new TranscriptPage(session.messages());
        String title = Printable.line(session.firstPrompt().orElse(session.id()).strip(), TITLE_COLUMNS);
        one.page
                .append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
                .append("style-src 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(escaped(title))
                .append("</h1>\n<dl>\n");
        one.fact("session", session.id());
        TranscriptText.facts(session, note).forEach(one::fact);
        one.page.append("</dl>\n<main>\n");
        one.messages.forEach(one::add);
        return one.page
                .append("</main>\n<footer>Exported by paddock. What the model and its commands have written is")
                .append(" shown as text.</footer>\n</body>\n</html>\n")
                .toString();
    }

    private void fact(String name, String value) {
        page.append("<dt>")
                .append(escaped(name))
                .append("</dt><dd>")
                .append(escaped(value))
                .append("</dd>\n");
    }

    private void add(Message message) {
        switch (message) {
            case Message.User user -> text("text user", user.text());
            case Message.Assistant assistant -> {
                if (!assistant.text().isBlank()) {
                    text("text", assistant.text());
                }
                assistant.toolCalls().forEach(this::call);
            }
            case Message.ToolResults shownWithTheirCalls -> {}
        }
    }

    private void text(String kind, String text) {
        page.append("<div class=\"")
                .append(kind)
                .append("\">")
                .append(escaped(text.strip()))
                .append("</div>\n");
    }

    /** Shows a call with its result, which is in a later message. */
    private void call(ToolCall call) {
        List<Message.ToolOutcome> results = messages.stream()
                .filter(Message.ToolResults.class::isInstance)
                .flatMap(message -> ((Message.ToolResults) message).results().stream())
                .filter(outcome -> outcome.callId().equals(call.id()))
                .limit(1)
                .toList();
        boolean isOpen = results.isEmpty();
        String state = isOpen ? "open" : results.getFirst().isError() ? "failed" : "done";
        page.append("<section class=\"call\"><p>")
                .append(escaped(call.name()))
                .append(" <span class=\"")
                .append(state)
                .append("\">")
                .append(isOpen ? "without a result" : state)
                .append("</span></p>\n<pre>")
                .append(escaped(TranscriptText.subject(call)))
                .append("</pre>\n");
        change(call.arguments());
        results.forEach(outcome -> result(outcome.text().strip()));
        page.append("</section>\n");
    }

    /** Shows the replaced text of an edit, or the content of a new file. */
    private void change(Json arguments) {
        Optional<String> before = arguments.text("old_string");
        Optional<String> after = arguments.text("new_string");
        if (before.isPresent() && after.isPresent()) {
            page.append("<pre class=\"result\">");
            lines("del", before.get());
            lines("ins", after.get());
            page.append("</pre>\n");
        } else {
            arguments.text("content").ifPresent(content -> folded("the content", content));
        }
    }

    private void lines(String tag, String text) {
        if (!text.isEmpty()) {
            page.append('<')
                    .append(tag)
                    .append('>')
                    .append(escaped(text))
                    .append("</")
                    .append(tag)
                    .append('>');
        }
    }

    private void result(String text) {
        folded("the result", text);
    }

    private void folded(String what, String text) {
        if (text.isEmpty()) {
            return;
        }
        long lines = text.lines().count();
        boolean isLong = lines > OPEN_LINES;
        if (isLong) {
            page.append("<details><summary>")
                    .append(what)
                    .append(": ")
                    .append(lines)
                    .append(" lines</summary>\n");
        }
        page.append("<pre class=\"result\">").append(escaped(text)).append("</pre>\n");
        page.append(isLong ? "</details>\n" : "");
    }

    /** Returns a text for the inside of an element or of a quoted attribute. */
    static String escaped(String text) {
        return Printable.text(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
