package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.content.FileKind;
import dev.paddock.harness.files.content.LineReader;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Excerpt;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** Reads a text file one page at a time, or an image as a whole. */
final class ReadTool extends FileTool {
    static final int DEFAULT_LINES = 2_000;
    static final int MAX_LINE_LENGTH = 2_000;

    /** How many bytes after the page are read in order to report the total number of lines. */
    private static final long COUNTED_BYTES = 64L << 20;

    private static final int BYTES_PER_CHARACTER = 4;

    /** In base64 5 MB, the most that common models take. */
    private static final int MAX_IMAGE_BYTES = 3_750_000;

    /** The longest side that common models take. */
    private static final int MAX_IMAGE_PIXELS = 8_000;

    ReadTool(WorkspaceFiles files, FilesUnderWay underWay) {
        super(
                files,
                underWay,
                "read",
                "Read a file",
                "Read a text file, or look at an image (PNG, JPEG, GIF, WebP). Lines are numbered from 1. At most "
                        + DEFAULT_LINES + " lines or "
                        + Excerpt.MAX_RESULT / 1024
                        + " KiB are returned; read on with the offset that the notice names.",
                new Schema()
                        .required("path", "string", "The file, relative to the working directory or absolute")
                        .optional("offset", "integer", "The first line to read, from 1 (default 1)")
                        .optional("limit", "integer", "How many lines to read (default " + DEFAULT_LINES + ")"));
    }

    @Override
    public boolean readOnly() {
        return true;
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) throws IOException {
        long offset = arguments.number("offset", 1, Long.MAX_VALUE, 1);
        long limit = arguments.number("limit", 1, Long.MAX_VALUE, DEFAULT_LINES);
        String path = arguments.text("path");
        String shown = files.shown(path);
        try (SeekableByteChannel content = files.openFile(path);
                LineReader lines = new LineReader(content, MAX_LINE_LENGTH * BYTES_PER_CHARACTER + 4, signal)) {
            Optional<String> kind = FileKind.notText(lines.start());
            if (FileKind.imageType(lines.start()).isPresent()) {
                return image(shown, content, signal);
            }
            if (kind.isPresent()) {
                return ToolResult.error(
                        shown + " is " + kind.get() + ", " + content.size() + " bytes; it is not shown as text");
            }
            if (lines.start().length == 0 && offset == 1) {
                return ToolResult.ok("(" + shown + " is empty)")
                        .withDetails(details().put("path", shown).put("lines", 0));
            }
            lines.skip(offset - 1);
            Optional<LineReader.Line> first = lines.next();
            if (first.isEmpty()) {
                throw new ToolException(
                        "offset " + offset + " is past the end: " + shown + " has " + count(lines.lines()));
            }
            return page(shown, lines, first.get(), limit);
        }
    }

    private static ToolResult image(String path, SeekableByteChannel content, AbortSignal signal) throws IOException {
        if (content.size() > MAX_IMAGE_BYTES) {
            return ToolResult.error(path + " is an image of " + content.size() + " bytes, more than the "
                    + MAX_IMAGE_BYTES + " that are shown; make a smaller copy of it with a command");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) content.size());
        content.position(0);
        while (bytes.hasRemaining() && content.read(bytes) >= 0) {
            signal.throwIfAborted();
        }
        byte[] file = Arrays.copyOf(bytes.array(), bytes.position());
        Optional<ImageHeader> header = ImageHeader.of(file);
        if (header.isEmpty()) {
            return ToolResult.error(path + " begins like an image, but its header is damaged; it is not shown");
        }
        ImageHeader image = header.get();
        String size = image.width() + " × " + image.height() + " pixels";
        if (!(image.width() > 0
                && image.width() <= MAX_IMAGE_PIXELS
                && image.height() > 0
                && image.height() <= MAX_IMAGE_PIXELS)) {
            return ToolResult.error(path + " is an image of " + size + "; images of 1 to " + MAX_IMAGE_PIXELS
                    + " pixels on each side are shown: make a smaller copy of it with a command");
        }
        return ToolResult.ok("[" + path + ": " + image.mediaType() + ", " + size + ", " + file.length + " bytes]")
                .withImage(new ToolResult.Image(
                        image.mediaType(), Base64.getEncoder().encodeToString(file)))
                .withDetails(details()
                        .put("path", path)
                        .put("mediaType", image.mediaType())
                        .put("width", image.width())
                        .put("height", image.height()));
    }

    private static ToolResult page(String path, LineReader lines, LineReader.Line first, long limit)
            throws IOException {
        Page page = new Page();
        Optional<LineReader.Line> next = Optional.of(first);
        while (next.isPresent() && next.get().number() < first.number() + limit && page.add(next.get())) {
            next = lines.next();
        }
        StringBuilder notices = page.notices();
        if (next.isPresent()) {
            long shownTo = next.get().number() - 1;
            boolean counted = lines.skipToEnd(COUNTED_BYTES);
            notices.append("\n[Lines ").append(first.number()).append("-").append(shownTo);
            notices.append(counted ? " of " + lines.lines() : "; many more follow");
            notices.append(page.full() ? ", cut at " + Excerpt.MAX_RESULT + " bytes" : "");
            notices.append(". Read on with offset=").append(shownTo + 1).append(".]");
        }
        return ToolResult.ok(page.text() + notices)
                .withDetails(details()
                        .put("path", path)
                        .put("firstLine", first.number())
                        .put("lastLine", page.last())
                        .put("more", next.isPresent()));
    }

    private static String count(long lines) {
        return lines == 1 ? "1 line" : lines + " lines";
    }

    /** Collects numbered lines as they are shown, up to the cap. */
    private static final class Page {
        private final StringBuilder text = new StringBuilder();
        private int bytes;
        private boolean full;
        private long last;
        private boolean crlf;
        private long invalid;

        /** Adds a line; false if it does not fit any more. */
        boolean add(LineReader.Line line) {
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
            int end = Excerpt.end(
                    line.text(), Math.min(MAX_LINE_LENGTH, line.text().length()));
            return line.text().substring(0, end) + " … [cut: the line has " + line.length() + " bytes]";
        }

        StringBuilder notices() {
            StringBuilder notices = new StringBuilder();
            if (crlf) {
                notices.append("\n[The lines end with CR LF; edit keeps that.]");
            }
            if (invalid > 0) {
                notices.append("\n[Not valid UTF-8 on ").append(count(invalid));
                notices.append("; what could not be decoded is shown as \ufffd.]");
            }
            return notices;
        }

        String text() {
            return text.substring(0, text.length() - 1);
        }

        boolean full() {
            return full;
        }

        long last() {
            return last;
        }
    }
}
