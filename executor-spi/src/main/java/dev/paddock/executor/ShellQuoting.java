package dev.paddock.executor;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Quotes text for the POSIX shell that an executor runs its commands with.
 *
 * @since 0.1
 */
public final class ShellQuoting {
    private ShellQuoting() {}

    /**
     * Quotes an argument list as a command: the shell runs the first as a program, with the others
     * as its arguments, exact to the byte. Nothing in them is expanded.
     *
     * @param arguments the program and its arguments; each may be empty
     * @return the command; empty without arguments
     * @throws IllegalArgumentException if one contains NUL, which no argument can
     */
    public static String posix(List<String> arguments) {
        return arguments.stream().map(ShellQuoting::posix).collect(Collectors.joining(" "));
    }

    /**
     * Quotes text as one word.
     *
     * @param word the text; may be empty
     * @return the word, in single quotes
     * @throws IllegalArgumentException if it contains NUL, which no argument can
     */
    public static String posix(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "an argument contains NUL at " + word.indexOf('\0') + ", which no program can receive");
        }
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
