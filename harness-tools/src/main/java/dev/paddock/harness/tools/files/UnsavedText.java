package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.EditorBuffers;
import dev.paddock.harness.tools.EditorBuffers.Answer;
import dev.paddock.harness.tools.ToolException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compares files with their text in the user's editor. All file tools share one instance.
 *
 * <p>Never writes through the editor: it opens files by path with the user's rights, and a command that replaces the
 * file by a link could make it write outside the worktree. A text read through such a link can be dropped; a write
 * cannot be undone.
 */
final class UnsavedText {
    private static final int MAX_KNOWN = 1_000;
    /** Retries, since a replacement by a link looks like another tool's write in the same directory. */
    private static final int TRIES = 3;

    private final WorkspaceFiles files;
    private final Optional<EditorBuffers> editor;
    /** By file, the hash of the text when disk and editor were last equal. */
    private final Map<String, String> agreed = new LinkedHashMap<>();

    UnsavedText(WorkspaceFiles files, Optional<EditorBuffers> editor) {
        this.files = files;
        this.editor = editor;
    }

    /** The result of a comparison. */
    sealed interface State permits Saved, Unsaved, Unknown {}

    /**
     * The editor reports no unsaved changes.
     *
     * @param notice text for the end of the result; mostly empty
     */
    record Saved(String notice) implements State {}

    /**
     * There are unsaved changes.
     *
     * @param text the editor's text
     * @param line the first line that differs, from 1
     */
    record Unsaved(String text, long line) implements State {}

    /** It is not known whether there are unsaved changes; the reason is the end of a sentence. */
    record Unknown(String reason) implements State {}

    /**
     * Asks the editor.
     *
     * @param given the encoding that the caller names
     * @throws ToolException if the file is not exactly in that encoding
     */
    State compare(String path, Optional<TextEncoding> given, AbortSignal signal) {
        Optional<OnDisk> before = editor.isEmpty() ? Optional.empty() : onDisk(path, given);
        if (before.isEmpty()) {
            return new Saved("");
        }
        Optional<Answer> answer = answer(path, signal);
        // The file may have been saved, or written by another call, while the editor was asked.
        OnDisk after = onDisk(path, given).orElse(before.get());
        return answer.map(one -> meaning(before.get(), after, one)).orElse(new Saved(""));
    }

    /** The text of a file, and its path without links. */
    private record OnDisk(String path, ComparedText text) {}

    /** Returns empty for a file that is not text or cannot be read, which the tool reports. */
    private Optional<OnDisk> onDisk(String path, Optional<TextEncoding> given) {
        try {
            EncodedText text = EncodedText.of(files.shown(path), files.read(path, EditTool.MAX_BYTES), given);
            return text.isKnown()
                    ? Optional.of(new OnDisk(
                            files.resolved(path), ComparedText.of(new String(text.utf8(), StandardCharsets.UTF_8))))
                    : Optional.empty();
        } catch (FileException noText) {
            return Optional.empty();
        }
    }

    private Optional<Answer> answer(String path, AbortSignal signal) {
        Optional<Answer> changed = Optional.empty();
        for (int i = 0; i < TRIES; i++) {
            try {
                return files.atHostPath(path, file -> editor.orElseThrow().text(file, signal));
            } catch (FileException replaced) {
                if (replaced.reason() == Reason.CLOSED) {
                    throw replaced;
                }
                changed = Optional.of(
                        new EditorBuffers.Silence("the file or its directory was changed while the editor was asked"));
            }
        }
        return changed;
    }

    private State meaning(OnDisk before, OnDisk after, Answer answer) {
        return switch (answer) {
            case EditorBuffers.Text(String text) -> compared(before, after, text);
            case EditorBuffers.Refusal(String reason) ->
                new Saved(
                        "\n[The user's editor gave no text of this file: " + reason + "; the file on disk was used.]");
            case EditorBuffers.Silence(String reason) -> new Unknown(reason);
        };
    }

    private synchronized State compared(OnDisk before, OnDisk after, String text) {
        ComparedText shown = ComparedText.of(text);
        if (shown.equals(before.text()) || shown.equals(after.text())) {
            agreed.remove(after.path()); // put() then makes it the newest
            agreed.put(after.path(), shown.hash());
            if (agreed.size() > MAX_KNOWN) {
                agreed.remove(agreed.keySet().iterator().next());
            }
            return new Saved("");
        }
        return shown.hash().equals(agreed.get(after.path()))
                ? new Saved("\n[The user's editor still shows this file as it was before its last change on disk; the"
                        + " file on disk was used.]")
                : new Unsaved(text, shown.firstDifference(after.text()));
    }

    /**
     * Returns the notice for the result of a write.
     *
     * @throws ToolException if there are, or may be, unsaved changes
     */
    String requireSaved(String path, Optional<TextEncoding> given, AbortSignal signal) {
        String shown = files.shown(path);
        return switch (compare(path, given, signal)) {
            case Saved(String notice) -> notice;
            case Unsaved unsaved ->
                throw new ToolException(shown
                        + " has changes in the user's editor that are not saved, the first in line "
                        + unsaved.line() + ". Nothing was written. Ask the user to save the file, or to undo these"
                        + " changes; then read it again");
            case Unknown(String reason) ->
                throw new ToolException("It is not known whether " + shown
                        + " has unsaved changes in the user's editor: " + reason
                        + ". Nothing was written. Try again, or tell the user");
        };
    }
}
