package dev.paddock.harness.tools.web;

import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/**
 * Converts a page to text: blocks on lines of their own, headings and list items marked, links with
 * their targets.
 */
final class HtmlText implements NodeFilter {
    private static final Set<String> SILENT =
            Set.of("script", "style", "noscript", "template", "svg", "iframe", "object", "head", "select", "canvas");
    private static final String CELLS = " | ";
    private static final String ITEM = "- ";

    private final StringBuilder text = new StringBuilder();
    private int preformatted;

    private HtmlText() {}

    static String of(Document page) {
        HtmlText walk = new HtmlText();
        page.filter(walk);
        String title = page.title().strip();
        String body = walk.text.toString().strip();
        return title.isEmpty() ? body : title + "\n\n" + body;
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (node instanceof TextNode words) {
            append(words);
        } else if (node instanceof Element element) {
            if (SILENT.contains(element.normalName()) || element.hasAttr("hidden")) {
                return FilterResult.SKIP_ENTIRELY;
            }
            begin(element);
        }
        return FilterResult.CONTINUE;
    }

    private void begin(Element element) {
        String name = element.normalName();
        switch (name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                paragraph();
                text.append("#".repeat(name.charAt(1) - '0')).append(' ');
            }
            case "li" -> {
                line();
                text.append(ITEM);
            }
            case "br" -> text.append('\n');
            case "td", "th" -> {
                if (element.previousElementSibling() != null) {
                    text.append(CELLS);
                }
            }
            case "img" -> text.append(element.attr("alt"));
            case "tr", "dt", "dd", "option" -> line();
            default -> {
                if (element.isBlock()) {
                    paragraph();
                }
            }
        }
        if (name.equals("pre")) {
            preformatted++;
        }
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) {
            String name = element.normalName();
            if (name.equals("pre")) {
                preformatted--;
            }
            if (name.equals("a")) {
                target(element);
            }
            if (name.equals("li") || name.equals("tr")) {
                line();
            } else if (element.isBlock() && !name.equals("td") && !name.equals("th")) {
                paragraph();
            }
        }
        return FilterResult.CONTINUE;
    }

    /**
     * Appends a link's target; omits targets within the page and those that only a browser can use.
     */
    private void target(Element link) {
        String target = link.absUrl("href");
        if (target.startsWith("http") && !link.attr("href").startsWith("#") && link.hasText()) {
            text.append(" (").append(target).append(')');
        }
    }

    private void append(TextNode words) {
        if (preformatted > 0) {
            text.append(words.getWholeText());
            return;
        }
        String plain = words.text();
        boolean startsLine = text.isEmpty() || text.charAt(text.length() - 1) == '\n' || endsWithBlank();
        text.append(startsLine ? plain.stripLeading() : plain);
    }

    private boolean endsWithBlank() {
        return text.charAt(text.length() - 1) == ' ';
    }

    private void line() {
        trim();
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }

    private void paragraph() {
        line();
        int length = text.length();
        boolean isItem = length >= 2 && text.charAt(length - 2) == '\n';
        if (length > 0 && !isItem) {
            text.append('\n');
        }
    }

    private void trim() {
        while (preformatted == 0 && !text.isEmpty() && endsWithBlank() && !endsWithItem()) {
            text.setLength(text.length() - 1);
        }
    }

    /**
     * Returns whether the text ends with a list marker. Checks only the end: this runs for each block, and the number
     * of blocks is unbounded.
     */
    private boolean endsWithItem() {
        int start = text.length() - ITEM.length();
        return start > 0 && text.charAt(start - 1) == '\n' && text.indexOf(ITEM, start) == start;
    }
}
