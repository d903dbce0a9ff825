package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.variable.ShellVariables;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Accepts only commands that consist of one listed program and plain arguments. Rejects all syntax that could start
 * another program or that the shell would interpret: operators, substitutions and expansions, even where quotes would
 * make them harmless, and assignments. Compares the program as written, so that neither quotes nor a path bypass the
 * list. An empty list accepts nothing.
 *
 * <p>The list does not restrict what an accepted program does with its arguments: {@code git -c alias.x='!…'} and
 * {@code find -exec} start other programs. The executor, not the list, confines a command.
 */
public final class AllowList implements CommandGate {
    private static final String OPERATORS = ";&|<>`$()\n\r";
    private static final String EXPANSIONS = "*?[]{}";
    private static final Pattern ENTRY = Pattern.compile("[A-Za-z0-9_.+/-]+");
    private static final Pattern ASSIGNMENT = Pattern.compile(ShellVariables.IDENTIFIER + "\\+?=.*");
    private static final Pattern HOME = Pattern.compile("(^|[ \\t])~");

    private static final int MAX_SHOWN = 100;

    private final Set<String> programs;

    /**
     * Creates a list.
     *
     * @param programs program names as a command would begin with them; one with a {@code /} allows
     *     exactly that path
     * @throws IllegalArgumentException if an entry is not a program name; the message names it
     */
    public AllowList(Collection<String> programs) {
        for (String program : programs) {
            if (!ENTRY.matcher(program).matches()) {
                throw new IllegalArgumentException(
                        "an allowed command is one program's name or path, of letters, digits and '_.+/-', and not '"
                                + program + "'");
            }
        }
        this.programs = new LinkedHashSet<>(programs);
    }

    @Override
    public void pass(String command, AbortSignal signal) {
        Optional<String> fault = fault(command);
        if (fault.isPresent()) {
            throw new DeniedException(
                    "Command denied: " + fault.get() + ". It was not run. " + rule(String.join(", ", programs)));
        }
    }

    @Override
    public String rule() {
        return rule(Excerpt.list(programs));
    }

    private String rule(String allowed) {
        return programs.isEmpty()
                ? "This session allows no commands; use its other tools."
                : "This session allows one program at a time, with plain arguments: no pipes, redirections, variables,"
                        + " globs or several commands in one. Allowed: " + allowed + ".";
    }

    private Optional<String> fault(String command) {
        return firstOf(command, OPERATORS)
                .map(found -> "it contains " + found + ", which could start or feed another program")
                .or(() -> firstOf(command, EXPANSIONS)
                        .map(found -> "it contains " + found + ", which the shell expands to other words"))
                .or(() -> HOME.matcher(command).find()
                        ? Optional.of("a word in it begins with '~', which the shell expands")
                        : Optional.empty())
                .or(() -> quotingFault(command))
                .or(() -> programFault(command));
    }

    private static Optional<String> firstOf(String command, String characters) {
        return command.chars()
                .filter(c -> characters.indexOf(c) >= 0)
                .mapToObj(AllowList::named)
                .findFirst();
    }

    private static String named(int character) {
        return switch (character) {
            case '\n' -> "a newline";
            case '\r' -> "a carriage return";
            default -> "'" + (char) character + "'";
        };
    }

    /**
     * Returns a fault for an unterminated quotation or a backslash at the end: if the command is embedded in other
     * text, either would swallow the text after it.
     */
    private static Optional<String> quotingFault(String command) {
        char quote = 0;
        for (int at = 0; at < command.length(); at++) {
            char c = command.charAt(at);
            if (c == '\\' && quote != '\'') {
                at++;
                if (at == command.length()) {
                    return Optional.of("it ends with a backslash");
                }
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
        }
        return quote == 0 ? Optional.empty() : Optional.of("the quote " + quote + " is not closed");
    }

    private Optional<String> programFault(String command) {
        String program = command.replaceFirst("^[ \\t]+", "").split("[ \\t]", 2)[0];
        if (programs.contains(program)) {
            return Optional.empty();
        }
        if (ASSIGNMENT.matcher(program).matches()) {
            return Optional.of("it begins with an assignment");
        }
        if (program.isEmpty()) {
            return Optional.of("it is empty");
        }
        return Optional.of("'" + Excerpt.cut(program, MAX_SHOWN) + "' is not allowed");
    }
}
