package dev.paddock.executor.path;

import dev.paddock.executor.CommandExecutor;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command whose shell reports, when it exits, the directory that it is in: on standard error, between two NUL bytes.
 * The command's own standard error goes to its standard output.
 *
 * <p>The command writes the report, so its reader checks it.
 *
 * @since 0.1
 */
public final class ReportingCommand {
    /** Begins and ends a report. */
    public static final char MARK = '\0';

    /**
     * Has no newline, so that the line numbers in the shell's messages are the command's. Checks that descriptor 8 is
     * still a pipe or socket, since the command may have closed it or opened another file there.
     */
    private static final String REPORT =
            "trap '{ set +ex; } 2>/dev/null; if [ -p /dev/fd/8 ] || [ -S /dev/fd/8 ]; then "
                    + "{ command printf \"\\000\"; command pwd -P; command printf \"\\000\"; } 2>/dev/null >&8; fi' EXIT; "
                    + "exec 8>&2 2>&1; ";

    /**
     * The words that can change a directory in any of the shells; "." only where a command can begin. Blanks and values
     * are bounded, since the time for a long command would grow with its square.
     */
    private static final Pattern CHANGES = Pattern.compile("\\b(?:cd|chdir|pushd|popd|source|eval)\\b"
            + "|(?:^|[;&|({!\n]|\\b(?:if|then|elif|else|while|until|do|time|command|builtin)\\s|=\\S{0,99}\\s)"
            + "\\s{0,99}\\.\\s");

    /** Longest prefix searched for the program name. */
    private static final int MAX_START_LENGTH = 1024;

    /** A first word that is a program's name, after assignments and without its directory. */
    private static final Pattern PROGRAM = Pattern.compile(
            "\\s*+(?:[A-Za-z_]\\w*+=[\\w./:,-]*+\\s++)*+(?:/?+[\\w.+-]++/)*+([\\w.+-]{1,32}+)(?=\\s|$|[;&|])");

    private ReportingCommand() {}

    /**
     * Returns whether a command may end in another directory than it starts in, and has room for the report.
     *
     * @param command the command
     * @return false if it has no word that changes a shell's directory, or would become too long
     */
    public static boolean isWanted(String command) {
        return CHANGES.matcher(command).find()
                && of(command).getBytes(StandardCharsets.UTF_8).length <= CommandExecutor.MAX_COMMAND_BYTES;
    }

    /**
     * Returns a command that also reports its directory, unless it sets a trap for its exit or replaces its shell.
     *
     * @param command the command
     * @return the command for the shell
     */
    public static String of(String command) {
        return REPORT + command;
    }

    /**
     * Returns the command that was given, for logs and records.
     *
     * @param command a command, which may be one that {@link #of} has returned
     * @return the command without the report
     */
    public static String plain(String command) {
        return command.startsWith(REPORT) ? command.substring(REPORT.length()) : command;
    }

    /**
     * Returns the name of a command's first program, for records that hold no argument.
     *
     * @param command a command without a report
     * @return the name without its directory, or "sh" if the command does not begin with a plain word
     */
    public static String program(String command) {
        Matcher program = PROGRAM.matcher(command.substring(0, Math.min(command.length(), MAX_START_LENGTH)));
        return program.lookingAt() ? program.group(1) : "sh";
    }

    /**
     * Removes the report's code from a shell's message: a shell quotes it with an error in the command's first line.
     *
     * @param text what the shell has written
     * @return the text
     */
    public static String withoutCode(String text) {
        return text.replace(REPORT, "");
    }
}
