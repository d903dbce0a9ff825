package dev.paddock.harness.tools.command;

import dev.paddock.executor.policy.ShellVariables;
import java.util.regex.Pattern;

/**
 * The program that a command begins with, for accounts that must hold no secret. Values of assignments are passed over
 * ({@code TOKEN=… curl}), and what is not plainly a program's name is not shown: a quotation, an expansion, something long.
 */
final class ProgramName {
    /** What runs in the end, and what stands for a command without a plain first word. */
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

    /** Goes to the word's end; false if there is no word, or one whose end takes a shell to find. */
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

    /** Whether nothing in double quotes has a meaning of its own. */
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
