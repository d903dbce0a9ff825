package dev.paddock.cli.command;

import dev.paddock.executor.config.spelling.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A subcommand's parsed arguments. Where the operands are a command line, the first operand, or {@code --}, ends the
 * options, so that the words after it belong to the command to run. Elsewhere only {@code --} ends them.
 *
 * <p>Handwritten: a library added more time to each start than the rest of the program together.
 */
public final class Arguments {
    /** The values by the options' names: to hash a record, the JVM generates code that no class cache contains. */
    private final Map<String, List<String>> values;

    private final List<String> operands;

    private Arguments(Map<String, List<String>> values, List<String> operands) {
        this.values = values;
        this.operands = operands;
    }

    /**
     * Parses arguments.
     *
     * @throws UsageException if an option is unknown, lacks its value, has a value that it does not
     *     take, or is given twice
     */
    public static Arguments parse(Collection<Option> options, List<String> arguments) {
        return parse(options, arguments, 0);
    }

    /**
     * Parses arguments, with options before, between and after the operands.
     *
     * @throws UsageException if an option is unknown, lacks its value, has a value that it does not take, or is given
     *     twice
     */
    public static Arguments parseAll(Collection<Option> options, List<String> arguments) {
        return parse(options, arguments, Integer.MAX_VALUE);
    }

    /**
     * Parses arguments, with options between the leading operands. The next operand ends them, as {@code --} does, and
     * begins a command line.
     *
     * @param leading the number of leading operands
     * @throws UsageException if an option is unknown, lacks its value, has a value that it does not take, or is given
     *     twice
     */
    public static Arguments parse(Collection<Option> options, List<String> arguments, int leading) {
        Map<String, List<String>> values = new HashMap<>();
        List<String> operands = new ArrayList<>();
        int at = 0;
        while (at < arguments.size()) {
            String word = arguments.get(at);
            if (word.equals("--")) {
                at++;
                break;
            }
            if (!word.startsWith("-") || word.equals("-")) {
                if (operands.size() >= leading) {
                    break;
                }
                operands.add(word);
                at++;
                continue;
            }
            at++;
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            Option option = find(options, equals < 0 ? word : word.substring(0, equals));
            String value = "";
            if (!option.takesValue()) {
                require(equals < 0, option.name() + " takes no value");
            } else if (equals >= 0) {
                value = word.substring(equals + 1);
            } else if (option.isValueOptional()) {
                boolean isGiven = at < arguments.size() && !arguments.get(at).startsWith("-");
                value = isGiven ? arguments.get(at++) : "";
            } else {
                require(at < arguments.size(), option.name() + " lacks its value: " + option.usage());
                value = arguments.get(at++);
            }
            List<String> given = values.computeIfAbsent(option.name(), none -> new ArrayList<>());
            require(given.isEmpty() || option.repeatable(), option.name() + " is given twice");
            given.add(value);
        }
        operands.addAll(arguments.subList(at, arguments.size()));
        return new Arguments(values, List.copyOf(operands));
    }

    public boolean has(Option option) {
        return values.containsKey(option.name());
    }

    public Optional<String> value(Option option) {
        return all(option).stream().findFirst();
    }

    public List<String> all(Option option) {
        return values.getOrDefault(option.name(), List.of());
    }

    public List<String> operands() {
        return operands;
    }

    /**
     * Refuses operands.
     *
     * @throws UsageException if there are operands
     */
    public void requireNoOperands() {
        require(operands.isEmpty(), "unexpected argument '" + (operands.isEmpty() ? "" : operands.getFirst()) + "'");
    }

    private static Option find(Collection<Option> options, String name) {
        for (Option option : options) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        String message = "unknown option " + name;
        Optional<String> instead = Habits.option(name)
                .filter(some -> options.stream().anyMatch(one -> one.name().equals(SandboxFlags.EXECUTOR.name())));
        if (instead.isPresent()) {
            throw new UsageException(message + "; " + instead.get());
        }
        throw new UsageException(
                Spelling.nearest(name, options.stream().map(Option::name).toList())
                        .map(similar -> message + "; did you mean " + similar + "?")
                        .orElse(message));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new UsageException(otherwise);
        }
    }
}
