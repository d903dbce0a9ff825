package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.content.FileKind;
import dev.paddock.harness.files.content.LineReader;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.DocumentReader;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Excerpt;
import dev.paddock.harness.tools.text.Schema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads a text file one page at a time, or an image as a whole. */
final class ReadTool extends FileTool {
    static final int DEFAULT_LINES = 2_000;
    private static final int BYTES_PER_CHARACTER = 4;
    private static final int MAX_READ = 1 << 18;

    private static final String PDF = ". A command shows pages 1 to 3: pdftotext -layout -f 1 -l 3 FILE -";

    private final Optional<DocumentReader> documents;
    private final UnsavedText unsaved;

    ReadTool(WorkspaceFiles files, FilesUnderWay underWay, Optional<DocumentReader> documents, UnsavedText unsaved) {
        super(
                files,
                underWay,
                "read",
                "Read a file",
                "Read a text file, look at an image (PNG, JPEG, GIF, WebP), or read a notebook's cells"
                        + (documents.isPresent() ? " or a PDF's text" : "") + ". Lines are numbered from 1. At most "
                        + DEFAULT_LINES + " lines or "
                        + Excerpt.MAX_RESULT / 1024
                        + " KiB are returned; read on with the offset that the notice names.",
                schema(documents.isPresent()));
        this.documents = documents;
        this.unsaved = unsaved;
    }

    private static Schema schema(boolean withPages) {
        Schema schema = new Schema()
                .required("path", "string", "The file, relative to the working directory or absolute")
                .optional("offset", "integer", "The first line to read, from 1 (default 1)")
                .optional("limit", "integer", "How many lines to read (default " + DEFAULT_LINES + ")")
                .optional("encoding", "string", TextEncoding.ARGUMENT)
                .optional("raw", "boolean", "Show a notebook as its JSON (default false)");
        return withPages ? schema.optional("pages", "string", PageRange.ARGUMENT) : schema;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) throws IOException {
        Window window = new Window(
                arguments.number("offset", 1, Long.MAX_VALUE, 1),
                arguments.number("limit", 1, Long.MAX_VALUE, DEFAULT_LINES));
        Optional<PageRange> pages =
                documents.flatMap(reader -> arguments.optionalText("pages")).map(PageRange::of);
        String path = path(arguments);
        return switch (unsaved.compare(path, arguments.encoding(), signal)) {
            case UnsavedText.Unsaved changed -> inEditor(path, changed, window, arguments.flag("raw"), signal);
            case UnsavedText.Saved(String notice) -> withNotice(onDisk(path, arguments, window, pages, signal), notice);
            case UnsavedText.Unknown(String reason) ->
                withNotice(
                        onDisk(path, arguments, window, pages, signal),
                        "\n[Whether the user's editor has unsaved changes of this file is not known: " + reason
                                + "; the file on disk was used.]");
        };
    }

    private static ToolResult withNotice(ToolResult result, String notice) {
        return notice.isEmpty() || result.isError() || !result.images().isEmpty()
                ? result
                : ToolResult.ok(result.text() + notice).withDetails(result.details());
    }

    private ToolResult inEditor(
            String path, UnsavedText.Unsaved changed, Window window, boolean isRaw, AbortSignal signal)
            throws IOException {
        byte[] utf8 = changed.text().getBytes(StandardCharsets.UTF_8);
        String shown = files.shown(path);
        Optional<ToolResult> cells =
                path.endsWith(Notebook.SUFFIX) && !isRaw ? notebook(shown, utf8, window, signal) : Optional.empty();
        return withNotice(
                cells.isPresent()
                        ? cells.get()
                        : page(shown, utf8, window, signal).result(Optional.empty()),
                "\n[This is the text in the user's editor, with changes that are not saved, the first in line "
                        + changed.line()
                        + ". Commands and grep see the file without them; edit and write refuse it until it is saved.]");
    }

    private ToolResult onDisk(
            String path, FileToolArguments arguments, Window window, Optional<PageRange> pages, AbortSignal signal)
            throws IOException {
        Optional<TextEncoding> given = arguments.encoding().filter(encoding -> !encoding.isUtf8());
        String shown = files.shown(path);
        try (SeekableByteChannel content = files.openFile(path);
                LineReader lines = lines(content, signal)) {
            byte[] start = lines.start();
            if (given.isPresent()
                    || TextEncoding.ofMark(start)
                            .filter(marked -> !marked.isUtf8())
                            .isPresent()) {
                return decoded(shown, content, given, window, signal).orElseGet(() -> unreadable(shown, given));
            }
            if (FileKind.imageType(start).isPresent()) {
                return ImageFile.read(shown, content, signal);
            }
            if (documents.filter(reader -> reader.reads(start)).isPresent()) {
                return document(shown, content, pages.orElseGet(PageRange::standard), window, signal);
            }
            Optional<String> kind = FileKind.notText(start);
            if (kind.isPresent()) {
                return ToolResult.error(shown + " is " + kind.get() + ", " + content.size()
                        + " bytes; it is not shown as text" + (kind.get().contains("PDF") ? PDF : ""));
            }
            if (path.endsWith(Notebook.SUFFIX) && !arguments.flag("raw") && content.size() <= EditTool.MAX_BYTES) {
                Optional<ToolResult> cells = notebook(shown, whole(content, signal), window, signal);
                if (cells.isPresent()) {
                    return cells.get();
                }
                content.position(start.length);
            }
            LinePage page = LinePage.read(shown, lines, window.offset(), window.limit());
            return page.invalid() == 0
                    ? page.result(Optional.empty())
                    : decoded(shown, content, given, window, signal).orElseGet(() -> page.result(Optional.empty()));
        }
    }

    private static LineReader lines(ReadableByteChannel content, AbortSignal signal) throws IOException {
        return new LineReader(content, LinePage.MAX_LINE_LENGTH * BYTES_PER_CHARACTER + 4, signal);
    }

    private static LinePage page(String shown, byte[] utf8, Window window, AbortSignal signal) throws IOException {
        try (LineReader lines = lines(Channels.newChannel(new ByteArrayInputStream(utf8)), signal)) {
            return LinePage.read(shown, lines, window.offset(), window.limit());
        }
    }

    /** Returns lines of a notebook's cells; empty if the text is none. */
    private static Optional<ToolResult> notebook(String shown, byte[] json, Window window, AbortSignal signal)
            throws IOException {
        Optional<Notebook> notebook = Notebook.of(json);
        if (notebook.isEmpty()) {
            return Optional.empty();
        }
        byte[] cells = notebook.get().text().getBytes(StandardCharsets.UTF_8);
        return Optional.of(page(shown, cells, window, signal)
                .result("\n[A notebook, shown as its cells: " + notebook.get().cells()
                        + ". edit and write take its JSON, which raw shows.]"));
    }

    private ToolResult document(
            String shown, SeekableByteChannel content, PageRange pages, Window window, AbortSignal signal)
            throws IOException {
        content.position(0);
        String text;
        try {
            text = documents.orElseThrow().read(Channels.newInputStream(content), pages.first(), pages.last(), signal);
        } catch (IOException e) {
            return ToolResult.error(shown + ": " + e.getMessage());
        }
        return page(shown, text.getBytes(StandardCharsets.UTF_8), window, signal)
                .result(Optional.empty());
    }

    private record Window(long offset, long limit) {}

    /** Returns lines of a file that is not UTF-8; empty if its encoding is unknown. */
    private static Optional<ToolResult> decoded(
            String shown, SeekableByteChannel content, Optional<TextEncoding> given, Window window, AbortSignal signal)
            throws IOException {
        if (content.size() > EditTool.MAX_BYTES) {
            return Optional.empty();
        }
        EncodedText text = EncodedText.of(shown, whole(content, signal), given);
        if (text.other().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(page(shown, text.utf8(), window, signal).result(text.other()));
    }

    /** Returns the whole content of a file; the caller has checked its size. */
    static byte[] whole(SeekableByteChannel content, AbortSignal signal) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) content.size());
        content.position(0);
        boolean more = true;
        while (more && bytes.position() < bytes.capacity()) {
            signal.throwIfAborted();
            // A channel copies each read through native memory of the same size.
            bytes.limit(Math.min(bytes.capacity(), bytes.position() + MAX_READ));
            more = content.read(bytes) >= 0;
        }
        return bytes.position() == bytes.capacity() ? bytes.array() : Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static ToolResult unreadable(String shown, Optional<TextEncoding> given) {
        String kind = given.map(TextEncoding::toString).orElse("UTF-16 by its byte order mark");
        return ToolResult.error(
                shown + " is " + kind + ", and is not shown: it is damaged, or larger than the " + EditTool.MAX_BYTES
                        + " bytes up to which text other than UTF-8 is. Convert it with iconv in a command");
    }
}
