package dev.paddock.cli.command;

import java.util.List;
import java.util.stream.Collectors;

/** Joins words into a command string that a POSIX shell splits into the same words. */
public final class ShellWords {
    private ShellWords() {}

    /**
     * Joins words into a command string. Every word is quoted, plain ones too, so that the shell
     * takes none for a reserved word, an alias or an assignment.
     */
    public static String join(List<String> words) {
        return words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
