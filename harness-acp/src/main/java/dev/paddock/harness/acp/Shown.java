package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.util.stream.Collectors;

/** Makes texts of a model and of its commands fit to be shown: nothing in them can hide a part, or leave its block. */
final class Shown {
    private static final int MAX_LINE = 200;

    private Shown() {}

    /** Returns a text without characters that are not seen, or that change how others are. */
    static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isVisible(point)) {
                plain.appendCodePoint(point);
            } else {
                plain.append("\\u{").append(Integer.toHexString(point)).append('}');
            }
        });
        return plain.toString();
    }

    private static boolean isVisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL -> point == '\n' || point == '\t' || point == '\r';
            case Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> true;
        };
    }

    /** Returns one line, cut where it is long. */
    static String line(String text) {
        // No pattern: white space of a model's choice takes one the square of its length.
        String one = plain(text)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" ⏎ "));
        return one.length() <= MAX_LINE ? one : one.substring(0, one.offsetByCodePoints(0, MAX_LINE / 2)) + " …";
    }

    /** Returns one line as code in Markdown. */
    static String code(String text) {
        String line = line(text);
        String fence = fence(line, 1);
        return line.contains("`") ? fence + " " + line + " " + fence : fence + line + fence;
    }

    /** Returns a block of code that no backticks in it end. */
    static AcpSchema.ToolCallContent block(String text) {
        String plain = plain(text);
        String fence = fence(plain, 3);
        return text(fence + "\n" + plain + (plain.endsWith("\n") ? "" : "\n") + fence);
    }

    private static String fence(String text, int least) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return "`".repeat(Math.max(least, longest + 1));
    }

    static AcpSchema.ToolCallContent text(String markdown) {
        // Jackson writes the kinds of contents from their annotations; the components would repeat them.
        return new AcpSchema.ToolCallContentBlock(null, content(markdown));
    }

    static AcpSchema.ContentBlock content(String markdown) {
        return new AcpSchema.TextContent(null, markdown, null, null);
    }
}
