package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Replaces one text in a file by another. */
final class EditTool extends FileTool {
    static final int MOST_BYTES = 10 << 20;

    EditTool(ContainedFiles files) {
        super(
                files,
                "edit",
                "Replace a text in a file. old_string must be exactly as in the file, white space included, and must occur "
                        + "once: add surrounding lines until it does. Line ends, byte order mark and mode of the file are "
                        + "kept.",
                new Schema()
                        .required("path", "string", "The file, relative to the working directory or absolute")
                        .required("old_string", "string", "The text to replace, without read's line numbers")
                        .required("new_string", "string", "The text to put there, taken literally"));
    }

    @Override
    ToolResult run(Arguments arguments, AbortSignal signal) throws IOException {
        String path = arguments.text("path");
        byte[] sought = arguments.utf8("old_string");
        byte[] substitute = arguments.utf8("new_string");
        if (sought.length == 0) {
            throw new ToolException("old_string is empty. Give the text to replace; to make a file, use write");
        }
        if (Arrays.equals(sought, substitute)) {
            throw new ToolException("old_string and new_string are the same, so nothing would change");
        }
        ReentrantLock lock = lockOf(path);
        lock.lock();
        try (Location where = files.locateForWriting(path)) {
            return edit(where, sought, substitute, signal);
        } finally {
            lock.unlock();
        }
    }

    private ReentrantLock lockOf(String path) throws IOException {
        try (Location where = files.locateForWriting(path)) {
            return files.lockOf(where);
        }
    }

    private ToolResult edit(Location where, byte[] sought, byte[] substitute, AbortSignal signal) throws IOException {
        byte[] before = content(where, signal);
        Replacement replacement = new Replacement(before, sought, substitute);
        Replacement.Places places = replacement.places();
        if (places.count() == 0) {
            String hint = NotFoundHint.of(text(before), text(sought));
            throw new ToolException("old_string was not found in " + where.shown() + ". " + hint);
        }
        if (places.count() > 1) {
            throw new ToolException("old_string occurs " + places.count() + " times in " + where.shown() + " (lines "
                    + lines(replacement, places) + "), and must occur once. Add lines around it until it does");
        }
        byte[] after = replacement.apply(places.first().getFirst());
        if (Arrays.equals(before, after)) {
            throw new ToolException("the replacement leaves " + where.shown() + " as it is: only line ends differ");
        }
        if (after.length > MOST_BYTES) {
            throw new ToolException(where.shown() + " would grow beyond " + MOST_BYTES + " bytes");
        }
        files.write(where, after, where.attributes(), signal);
        long line = replacement.lineAt(places.first().getFirst());
        return ToolResult.ok("Edited " + where.shown() + " at line " + line)
                .withDetails(details()
                        .put("path", where.shown())
                        .put("line", line)
                        .put("diff", UnifiedDiff.of(where.relative(), before, after)));
    }

    private static String lines(Replacement replacement, Replacement.Places places) {
        String named = places.first().stream()
                .map(place -> String.valueOf(replacement.lineAt(place)))
                .collect(Collectors.joining(", "));
        return places.count() > places.first().size() ? named + ", …" : named;
    }

    private static byte[] content(Location where, AbortSignal signal) throws IOException {
        try (SeekableByteChannel channel = where.openFile()) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (channel.read(buffer.clear()) >= 0) {
                signal.throwIfAborted();
                content.write(buffer.array(), 0, buffer.position());
                if (content.size() > MOST_BYTES) {
                    throw new ToolException(
                            where.shown() + " has " + where.existing().size() + " bytes, more than the " + MOST_BYTES
                                    + " that edit takes on. Use sed through a command");
                }
            }
            return content.toByteArray();
        }
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
