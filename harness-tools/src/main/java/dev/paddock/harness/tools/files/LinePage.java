package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.content.LineReader;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Collects numbered lines of a text for the model, up to the limit. */
final class LinePage {
    static final int MAX_LINE_LENGTH = 2_000;

    /** The bytes read after the page to count the remaining lines. */
    private static final long COUNTED_BYTES = 64L << 20;

    private final String path;
    private final StringBuilder text = new StringBuilder();
    private int bytes;
    private boolean full;
    private long first;
    private long last;
    private boolean crlf;
    private long invalid;
    private boolean more;
    private String notice = "";
    private OptionalLong total = OptionalLong.empty();

    private LinePage(String path) {
        this.path = path;
    }

    /**
     * Reads some lines.
     *
     * @param path the file, as it is shown
     * @param lines its lines, none of them read yet
     * @param offset the first line, from 1
     * @param limit the most lines
     * @throws ToolException if there is no such line
     */
    static LinePage read(String path, LineReader lines, long offset, long limit) throws IOException {
        LinePage page = new LinePage(path);
        if (lines.start().length == 0 && offset == 1) {
            return page;
        }
        lines.skip(offset - 1);
        Optional<LineReader.Line> next = lines.next();
        if (next.isEmpty()) {
            throw new ToolException("offset " + offset + " is past the end: " + path + " has " + count(lines.lines()));
        }
        page.first = next.get().number();
        while (next.isPresent() && next.get().number() < page.first + limit && page.add(next.get())) {
            next = lines.next();
        }
        page.more = next.isPresent();
        if (page.more) {
            page.last = next.get().number() - 1;
            page.total = lines.skipToEnd(COUNTED_BYTES) ? OptionalLong.of(lines.lines()) : OptionalLong.empty();
        }
        return page;
    }

    /** Returns how many lines are not UTF-8. */
    long invalid() {
        return invalid;
    }

    /**
     * Returns the result for a text that was derived from the file, such as a notebook's cells.
     *
     * @param notice tells the model how the text was derived
     */
    ToolResult result(String notice) {
        this.notice = notice;
        return result(Optional.empty());
    }

    /**
     * Returns the result for the model.
     *
     * @param encoding the file's encoding if it is not UTF-8
     */
    ToolResult result(Optional<TextEncoding> encoding) {
        Json pathAlone = Json.object().with("path", path);
        Json details = encoding.map(other -> pathAlone.with("encoding", other.toString()))
                .orElse(pathAlone);
        if (first == 0) {
            return ToolResult.ok("(" + path + " is empty)").withDetails(details.with("lines", 0));
        }
        return ToolResult.ok(text.substring(0, text.length() - 1) + notices(encoding))
                .withDetails(
                        details.with("firstLine", first).with("lastLine", last).with("more", more));
    }

    /** Adds a line; returns false if it does not fit. */
    private boolean add(LineReader.Line line) {
        String shown = String.format(Locale.ROOT, "%6d\t%s\n", line.number(), shortened(line));
        int length = shown.getBytes(StandardCharsets.UTF_8).length;
        full = bytes + length > Excerpt.MAX_RESULT;
        if (full) {
            return false;
        }
        text.append(shown);
        bytes += length;
        last = line.number();
        crlf |= line.carriageReturn();
        invalid += line.invalid() ? 1 : 0;
        return true;
    }

    private static String shortened(LineReader.Line line) {
        if (!line.cut() && line.text().length() <= MAX_LINE_LENGTH) {
            return line.text();
        }
        int end = Excerpt.end(line.text(), Math.min(MAX_LINE_LENGTH, line.text().length()));
        return line.text().substring(0, end) + " … [cut: the line has " + line.length() + " bytes]";
    }

    private StringBuilder notices(Optional<TextEncoding> encoding) {
        StringBuilder notices = new StringBuilder(notice);
        encoding.ifPresent(other -> notices.append("\n[The file is in ")
                .append(other)
                .append("; edit and write keep that. If it looks wrong, name the right one with encoding.]"));
        if (crlf) {
            notices.append("\n[The lines end with CR LF; edit and write keep that.]");
        }
        if (invalid > 0) {
            notices.append("\n[Not valid UTF-8 on ").append(count(invalid));
            notices.append("; what could not be decoded is shown as \ufffd.]");
        }
        if (more) {
            notices.append("\n[Lines ").append(first).append("-").append(last);
            notices.append(total.isPresent() ? " of " + total.getAsLong() : "; many more follow");
            notices.append(full ? ", cut at " + Excerpt.MAX_RESULT + " bytes" : "");
            notices.append(". Read on with offset=").append(last + 1).append(".]");
        }
        return notices;
    }

    private static String count(long lines) {
        return lines == 1 ? "1 line" : lines + " lines";
    }
}
