package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.files.workspace.Written;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Replaces one text in a file by another. */
final class EditTool extends FileTool {
    static final int MAX_BYTES = 10 << 20;

    private final UnsavedText unsaved;

    EditTool(WorkspaceFiles files, FilesUnderWay underWay, UnsavedText unsaved) {
        super(
                files,
                underWay,
                "edit",
                "Edit a file",
                "Replace a text in a file. old_string must be exactly as in the file, white space included, and must occur "
                        + "once: add surrounding lines until it does, or replace each occurrence by replace_all. "
                        + "Encoding, line ends, byte order mark and mode of the file are kept.",
                new Schema()
                        .required("path", "string", "The file, relative to the working directory or absolute")
                        .required("old_string", "string", "The text to replace, without read's line numbers")
                        .required("new_string", "string", "The text to put there, taken literally")
                        .optional("replace_all", "boolean", "Replace every occurrence (default false)")
                        .optional("encoding", "string", TextEncoding.ARGUMENT));
        this.unsaved = unsaved;
    }

    @Override
    public Optional<Json> outputSchema() {
        return Optional.of(new Schema()
                .optional("path", "string", "The file.")
                .optional("line", "integer", "The line of the first replacement, from 1.")
                .optional("replacements", "integer", "How many occurrences were replaced.")
                .build());
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) {
        String path = path(arguments);
        byte[] sought = arguments.utf8("old_string");
        byte[] substitute = arguments.utf8("new_string");
        if (sought.length == 0) {
            throw new ToolException("old_string is empty. Give the text to replace; to make a file, use write");
        }
        if (Arrays.equals(sought, substitute)) {
            throw new ToolException("old_string and new_string are the same, so nothing would change");
        }
        Change change =
                new Change(files.shown(path), sought, substitute, arguments.flag("replace_all"), arguments.encoding());
        String notice = unsaved.requireSaved(path, arguments.encoding(), signal);
        Written written = files.update(path, MAX_BYTES, change, signal);
        // In a diff the path follows "a/" and "b/".
        String name = written.path().startsWith("/") ? written.path().substring(1) : written.path();
        return ToolResult.ok("Edited " + change.shown + " at line " + change.line + change.others() + change.encoding()
                        + notice)
                .withDetails(Json.object()
                        .with("path", change.shown)
                        .with("line", change.line)
                        .with("replacements", change.replacements)
                        .with("diff", UnifiedDiff.of(name, change.before, change.after)));
    }

    /** Replaces the text in a file's content and keeps what the result reports. */
    private static final class Change implements UnaryOperator<byte[]> {
        private final String shown;
        private final byte[] sought;
        private final byte[] substitute;
        private final boolean everywhere;
        private final Optional<TextEncoding> given;
        private Optional<TextEncoding> other = Optional.empty();
        private byte[] before = {};
        private byte[] after = {};
        private long line;
        private int replacements;

        Change(String shown, byte[] sought, byte[] substitute, boolean everywhere, Optional<TextEncoding> given) {
            this.shown = shown;
            this.sought = sought;
            this.substitute = substitute;
            this.everywhere = everywhere;
            this.given = given;
        }

        @Override
        public byte[] apply(byte[] content) {
            EncodedText text = EncodedText.of(shown, content, given);
            other = text.other();
            if (!text.isKnown()) {
                requireAscii();
            }
            before = text.utf8();
            Replacement replacement = new Replacement(before, sought, substitute);
            int[] starts = starts(replacement);
            after = replacement.apply(starts);
            if (Arrays.equals(before, after)) {
                throw new ToolException("the replacement leaves " + shown + " as it is: only line ends differ");
            }
            byte[] changed = text.encode(replacement, starts, after, "new_string");
            if (changed.length > MAX_BYTES) {
                throw tooLarge();
            }
            return changed;
        }

        /** Refuses non-ASCII characters: how the file would store them is unknown. */
        private void requireAscii() {
            if (!TextEncoding.isAscii(sought) || !TextEncoding.isAscii(substitute)) {
                throw new ToolException(shown + " is not UTF-8, and its encoding is not known, so that only text in"
                        + " ASCII can be replaced there. Name its encoding with encoding");
            }
        }

        /** Returns where the text is to be replaced. */
        private int[] starts(Replacement replacement) {
            Replacement.Occurrences found = replacement.occurrences();
            if (found.count() == 0) {
                String hint = NotFoundHint.of(text(before), text(sought));
                throw new ToolException("old_string was not found in " + shown + ". " + hint);
            }
            if (found.count() > 1 && !everywhere) {
                throw new ToolException("old_string occurs " + found.count() + " times in " + shown + " (lines "
                        + lines(replacement, found)
                        + "), and must occur once. Add lines around it until it does, or set replace_all");
            }
            int[] replaced = everywhere
                    ? replacement.separate()
                    : new int[] {found.first().getFirst()};
            replacements = replaced.length;
            // apply() may shorten CR LF to LF, which at most halves the replacement: beyond twice the limit the result
            // is too large in either case.
            if ((long) replacements * substitute.length > 2L * MAX_BYTES) {
                throw tooLarge();
            }
            line = replacement.lineAt(found.first().getFirst());
            return replaced;
        }

        private ToolException tooLarge() {
            return new ToolException(shown + " would grow beyond " + MAX_BYTES + " bytes");
        }

        /** Names the replacements after the first, for the model. */
        String others() {
            return replacements == 1 ? "" : ", and " + (replacements - 1) + " more; " + replacements + " in all";
        }

        /** Names an encoding that is not UTF-8, for the model. */
        String encoding() {
            return other.map(encoding -> ", in " + encoding).orElse("");
        }
    }

    private static String lines(Replacement replacement, Replacement.Occurrences found) {
        String named = found.first().stream()
                .map(offset -> String.valueOf(replacement.lineAt(offset)))
                .collect(Collectors.joining(", "));
        return found.count() > found.first().size() ? named + ", …" : named;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
