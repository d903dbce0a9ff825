package dev.paddock.harness.tools;

import dev.paddock.executor.AbortSignal;
import java.nio.file.Path;

/**
 * Returns the text of files in the user's editor, with unsaved changes. {@code read} shows this text instead of the
 * file on disk; {@code edit} and {@code write} refuse a file with unsaved changes, which would be lost or bypassed.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface EditorBuffers {

    /** An editor's answer. */
    sealed interface Answer permits Text, Refusal, Silence {}

    /**
     * The editor's text of a file. Byte order mark, line ends and a line feed at the end may differ from those on disk.
     *
     * @param text the whole text
     */
    record Text(String text) implements Answer {}

    /**
     * The editor answers that it has no text of the file.
     *
     * @param reason why, as the end of a sentence
     */
    record Refusal(String reason) implements Answer {}

    /**
     * The editor does not answer.
     *
     * @param reason what happened, as the end of a sentence
     */
    record Silence(String reason) implements Answer {}

    /**
     * Asks the editor for the text of a file. Returns within some seconds, whatever the editor does.
     *
     * @param file the file's host path, which leads to a text file in the session's directory
     * @param signal ends the wait
     * @return the answer
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    Answer text(Path file, AbortSignal signal);
}
