package dev.paddock.cli.agent;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.Words;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Renders a model's Markdown line by line, as it arrives: headings, lists, emphasis, code and links. Shows everything
 * else, such as a table, as it was written. Breaks lines between words.
 */
final class Markdown {
    // No pattern may need time quadratic in a line's length, or stack for it: a model chooses the length.
    private static final Pattern FENCE = Pattern.compile("^\\s{0,3}(```|~~~).*");
    private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s++(.*+)$");
    private static final Pattern ITEM = Pattern.compile("^(\\s*)([-*+]|\\d{1,9}[.)])\\s+(.*)$");
    private static final Pattern QUOTE = Pattern.compile("^\\s{0,3}>\\s?(.*)$");
    private static final Pattern RULE = Pattern.compile("^\\s{0,3}([-*_])(?:\\s*+\\1){2,}+\\s*$");
    private static final Pattern INLINE = Pattern.compile("`(?<code>[^`]+)`"
            + "|\\*\\*(?<strong>[^*\\s](?:[^*]*[^*\\s])?)\\*\\*"
            + "|(?<![\\w*])\\*(?<emphasis>[^*\\s](?:[^*]*[^*\\s])?)\\*(?![\\w*])"
            + "|\\[(?<text>[^\\]]{1,300})\\]\\((?<link>[^)\\s]{1,1000})\\)");

    private static final int RULE_WIDTH = 20;
    private static final String CODE_MARGIN = "    ";

    private final Style style;
    private boolean isCode;

    Markdown(Style style) {
        this.style = style;
    }

    /** Begins a new text; ends an unfinished block of code. */
    void reset() {
        isCode = false;
    }

    /**
     * Renders one line.
     *
     * @param written the line as the model wrote it, without its end
     * @param width the most columns of a shown line
     */
    List<String> line(String written, int width) {
        String line = Printable.text(written);
        if (FENCE.matcher(line).matches()) {
            isCode = !isCode;
            return List.of();
        }
        if (isCode) {
            return List.of(CODE_MARGIN + style.colored(line));
        }
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            return wrap("", "", withoutEnd(heading.group(1)), width).stream()
                    .map(style::bold)
                    .toList();
        }
        if (RULE.matcher(line).matches()) {
            return List.of(style.dim("─".repeat(Math.min(RULE_WIDTH, width))));
        }
        Matcher item = ITEM.matcher(line);
        if (item.matches()) {
            boolean isNumbered = Character.isDigit(item.group(2).charAt(0));
            String mark = item.group(1) + (isNumbered ? item.group(2) : "•") + " ";
            return wrap(mark, " ".repeat(mark.length()), item.group(3), width);
        }
        Matcher quote = QUOTE.matcher(line);
        if (quote.matches()) {
            return wrap("│ ", "│ ", quote.group(1), width);
        }
        return line.startsWith("|") ? List.of(line) : wrap("", "", line, width);
    }

    /** Returns a heading's text without closing signs. */
    private static String withoutEnd(String heading) {
        int end = heading.length();
        while (end > 0 && heading.charAt(end - 1) == '#') {
            end--;
        }
        return heading.substring(0, end).stripTrailing();
    }

    /** Breaks a text that is no Markdown into lines. */
    List<String> plain(String text, int width) {
        return Printable.text(text)
                .lines()
                .flatMap(line -> Words.wrap("", "", line, width).stream())
                .toList();
    }

    private List<String> wrap(String first, String further, String text, int width) {
        return Words.wrap(first, further, inline(text), width);
    }

    private String inline(String text) {
        Matcher marks = INLINE.matcher(text);
        StringBuilder shown = new StringBuilder();
        while (marks.find()) {
            marks.appendReplacement(shown, Matcher.quoteReplacement(span(marks)));
        }
        return marks.appendTail(shown).toString();
    }

    private String span(Matcher marks) {
        @Nullable String code = marks.group("code");
        @Nullable String strong = marks.group("strong");
        @Nullable String emphasis = marks.group("emphasis");
        if (code != null) {
            return style.isOn() ? style.colored(code) : "`" + code + "`";
        }
        if (strong != null) {
            return style.bold(strong);
        }
        if (emphasis != null) {
            return style.emphasized(emphasis);
        }
        return marks.group("text") + " (" + style.dim(String.valueOf(marks.group("link"))) + ")";
    }
}
