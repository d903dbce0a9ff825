package dev.paddock.harness.tools.command;

import dev.paddock.executor.variable.ShellVariables;
import java.util.regex.Pattern;

/**
 * Extracts the program that a command begins with, for audit records, which must not contain secrets. Skips assignments
 * with their values ({@code TOKEN=… curl}); does not record a quotation, an expansion, a long word and whatever else is
 * not plainly a program name.
 */
final class ProgramName {
    /** The program that runs the command, recorded for commands without a plain first word. */
    private static final String SHELL = "sh";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.+-]{1,32}|\\[");
    private static final Pattern ASSIGNMENT = Pattern.compile(ShellVariables.IDENTIFIER + "\\+?=.*", Pattern.DOTALL);

    private final String command;
    private int at;

    private ProgramName(String command) {
        this.command = command;
    }

    static String of(String command) {
        return new ProgramName(command).find();
    }

    private String find() {
        while (true) {
            skipBlanks();
            int start = at;
            if (!skipWord()) {
                return SHELL;
            }
            String word = command.substring(start, at);
            if (!ASSIGNMENT.matcher(word).matches()) {
                String name = word.substring(word.lastIndexOf('/') + 1);
                return PLAIN.matcher(name).matches() ? name : SHELL;
            }
        }
    }

    private void skipBlanks() {
        boolean inComment = false;
        for (; at < command.length(); at++) {
            char c = command.charAt(at);
            inComment = c != '\n' && (inComment || c == '#');
            if (!inComment && !isBlank(c)) {
                return;
            }
        }
    }

    /** Skips a word; returns false if there is none, or only a shell could find its end. */
    private boolean skipWord() {
        int start = at;
        for (; at < command.length() && !endsWord(command.charAt(at)); at++) {
            char c = command.charAt(at);
            if (c == '$' || c == '`' || c == '(') {
                return false;
            }
            if (c == '\\') {
                at++;
            } else if (c == '\'' || c == '"') {
                at = command.indexOf(c, at + 1);
                boolean isPlain = at >= 0 && (c == '\'' || isPlain(command.substring(start, at)));
                if (!isPlain) {
                    return false;
                }
            }
        }
        at = Math.min(at, command.length());
        return at > start;
    }

    /** Returns whether the text in double quotes contains no special character. */
    private static boolean isPlain(String text) {
        return text.chars().noneMatch(c -> c == '$' || c == '`' || c == '\\');
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n';
    }

    private static boolean endsWord(char c) {
        return isBlank(c) || ";&|<>".indexOf(c) >= 0;
    }
}
