package dev.paddock.cli.setup.document;

import dev.paddock.cli.setup.document.JsonText.Item;
import dev.paddock.cli.setup.document.JsonText.Span;
import java.util.List;
import java.util.Optional;

/** Inserts items into an object or array of a JSON text, and removes them, in the text's own style. */
final class JsonInsertion {
    /** The indentation of files without one. */
    static final String UNIT = "  ";

    private final String text;
    private final Span container;
    private final int close;
    private final String unit;

    /**
     * Creates an insertion.
     *
     * @param unit how much deeper the items of a container are than the container
     */
    JsonInsertion(String text, Span container, String unit) {
        this.text = text;
        this.container = container;
        this.unit = unit;
        this.close = container.end() - 1;
    }

    /** Returns the spaces and tabs at the beginning of the line that contains an offset. */
    static String indentAt(String text, int offset) {
        int start = text.lastIndexOf('\n', offset - 1) + 1;
        int end = start;
        while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(start, end);
    }

    /** Returns how much deeper the first item is than its container. */
    static String unit(String text, Span container) {
        String outer = indentAt(text, container.start());
        String inner = indentAt(text, container.items().getFirst().start());
        return inner.startsWith(outer) && inner.length() > outer.length() ? inner.substring(outer.length()) : UNIT;
    }

    /** Returns the indentation of a new item; empty if it goes into the line of the others. */
    Optional<String> indent() {
        if (container.items().isEmpty()) {
            boolean isObject = text.charAt(container.start()) == '{';
            return isObject || hasLines() ? Optional.of(indentAt(text, container.start()) + unit) : Optional.empty();
        }
        return hasLines()
                ? Optional.of(indentAt(text, container.items().getLast().start()))
                : Optional.empty();
    }

    /** Returns the text with further items at the end of the container. */
    String insert(List<String> items) {
        String lineEnd = Document.lineEnd(text);
        Optional<String> indent = indent();
        String separator = indent.map(spaces -> lineEnd + spaces).orElse(" ");
        String added = String.join("," + separator, items);
        int tail = tail();
        if (container.items().isEmpty()) {
            boolean isBlank = tail == container.start() + 1;
            String closing = indent.isPresent() ? lineEnd + indentAt(text, container.start()) : "";
            return text.substring(0, tail)
                    + (isBlank && indent.isEmpty() ? "" : separator)
                    + added
                    + (isBlank ? closing + text.substring(close) : text.substring(tail));
        }
        int last = container.items().getLast().value().end();
        boolean hasComma = comma(last, close) >= 0;
        return text.substring(0, last)
                + (hasComma ? "" : ",")
                + text.substring(last, tail)
                + separator
                + added
                + text.substring(tail);
    }

    /** Returns the text without an item of the container, its line and its comma. */
    String remove(Item item) {
        int at = container.items().indexOf(item);
        int end = item.value().end();
        boolean isLast = at == container.items().size() - 1;
        int comma = comma(end, isLast ? close : container.items().get(at + 1).start());
        int from = item.start();
        while (from > container.start() + 1 && Character.isWhitespace(text.charAt(from - 1))) {
            from--;
        }
        if (comma >= 0) {
            boolean isDirect = text.substring(end, comma).isBlank();
            String between = isDirect ? "" : text.substring(end, comma);
            return closed(text.substring(0, from), between + text.substring(comma + 1));
        }
        if (at == 0) {
            return closed(text.substring(0, from), text.substring(end));
        }
        int before = container.items().get(at - 1).value().end();
        int separator = comma(before, item.start());
        return text.substring(0, separator) + text.substring(separator + 1, from) + text.substring(end);
    }

    /**
     * Joins the text around a removed item; drops the white space in a container that becomes
     * empty.
     */
    private String closed(String head, String rest) {
        boolean isEmpty = container.items().size() == 1 && head.length() == container.start() + 1;
        String trimmed = rest.stripLeading();
        return head + (isEmpty && (trimmed.startsWith("}") || trimmed.startsWith("]")) ? trimmed : rest);
    }

    private boolean hasLines() {
        return text.substring(container.start(), close).indexOf('\n') >= 0;
    }

    /** Returns the offset after the last character in the container that is no space. */
    private int tail() {
        int tail = close;
        while (Character.isWhitespace(text.charAt(tail - 1))) {
            tail--;
        }
        return tail;
    }

    /** Returns the offset of the comma between two offsets, outside of comments; -1 if there is none. */
    private int comma(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) == ',') {
                return i;
            }
            if (text.startsWith("//", i)) {
                i = Math.max(i, text.indexOf('\n', i));
            } else if (text.startsWith("/*", i)) {
                i = text.indexOf("*/", i + 2) + 1;
            }
        }
        return -1;
    }
}
