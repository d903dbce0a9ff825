package dev.paddock.executor.path;

import dev.paddock.executor.CommandExecutor;
import java.nio.charset.StandardCharsets;
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
     * Stays on the command's first line, so that the shell counts the command's lines. Descriptor 8 may be another file
     * or closed when the command ends: it is then no pipe and no socket.
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

    private ReportingCommand() {}

    /**
     * Returns whether a command may end in another directory than it starts in, and can report it.
     *
     * @param command the command
     * @return false if nothing in it changes a shell's directory, or it is as long as a command may be
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
     * Returns text of the shell without the report's code, which a shell shows with an error in the command's first line.
     *
     * @param text what the shell has written
     * @return the text
     */
    public static String withoutCode(String text) {
        return text.replace(REPORT, "");
    }
}
