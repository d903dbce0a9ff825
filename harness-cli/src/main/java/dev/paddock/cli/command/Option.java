package dev.paddock.cli.command;

import java.util.List;

/**
 * Describes one option of a subcommand.
 *
 * @param name the option's name, dashes included
 * @param value the name of its value in the help; empty for an option that takes none
 * @param repeatable whether it may be given more than once
 * @param help what the option does, in lines that fit beside the option's name
 */
public record Option(String name, String value, boolean repeatable, List<String> help) {

    public static Option flag(String name, String... help) {
        return new Option(name, "", false, List.of(help));
    }

    public static Option of(String name, String value, String... help) {
        return new Option(name, value, false, List.of(help));
    }

    public static Option repeatable(String name, String value, String... help) {
        return new Option(name, value, true, List.of(help));
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    String usage() {
        return takesValue() ? name + " " + value : name;
    }
}
