package dev.paddock.cli.command;

import java.util.List;
import java.util.stream.Collectors;

/** Turns words into a command string that a POSIX shell takes apart into the same words. */
public final class ShellWords {
    private ShellWords() {}

    /**
     * Every word is quoted, plain ones too: so none is taken for a reserved word, an alias or an assignment.
     */
    public static String join(List<String> words) {
        return words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
