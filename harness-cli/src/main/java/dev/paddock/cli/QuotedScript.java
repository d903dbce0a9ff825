package dev.paddock.cli;

import dev.paddock.executor.ShellQuoting;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes a shell script that was given as the name of a program: {@code paddock exec 'ls | wc'}. */
final class QuotedScript {
    private static final int NOT_STARTED = 126;
    private static final int NOT_FOUND = 127;
    private static final int MAX_FILE_NAME = 255;
    private static final int MAX_SHOWN = 200;

    /** The first word of a command, as {@link ShellQuoting#posix} writes it, and the others. */
    private static final Pattern WORDS = Pattern.compile("'((?:[^']|'\\\\'')*)'( .*)?", Pattern.DOTALL);

    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=.*", Pattern.DOTALL);

    private QuotedScript() {}

    /**
     * Returns a hint for a command that was not found because a script or an assignment was given
     * as its program.
     *
     * @param command the command for the shell
     * @param exitCode its exit code
     * @return a hint; empty if the command ran, or its first word has no blank and sets no variable
     */
    static Optional<String> hint(String command, int exitCode) {
        Matcher words = WORDS.matcher(command);
        if ((exitCode != NOT_FOUND && exitCode != NOT_STARTED) || !words.matches()) {
            return Optional.empty();
        }
        String program = words.group(1).replace("'\\''", "'");
        boolean tooLong = program.getBytes(StandardCharsets.UTF_8).length > MAX_FILE_NAME;
        if (exitCode == NOT_STARTED && !tooLong) {
            return Optional.empty(); // a file that cannot be executed
        }
        Matcher assignment = ASSIGNMENT.matcher(program);
        if (assignment.matches()) {
            return Optional.of("a command begins with its program; a variable is set by an option: --env "
                    + assignment.group(1) + "=…");
        }
        if (program.chars().noneMatch(Character::isWhitespace)) {
            return Optional.empty();
        }
        boolean isAll = words.group(2) == null && program.length() <= MAX_SHOWN;
        return Optional.of(
                "the first word names a program, and there is none of this name; a shell script follows -c: -c "
                        + (isAll ? ShellQuoting.posix(program) : "SCRIPT"));
    }
}
