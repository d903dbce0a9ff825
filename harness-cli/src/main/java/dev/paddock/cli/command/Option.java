package dev.paddock.cli.command;

import java.util.List;

/**
 * Describes one option of a subcommand.
 *
 * @param name the option's name, dashes included
 * @param value the name of its value in the help; empty for an option that takes none
 * @param repeatable whether it may be given more than once
 * @param choices the words that its value may be; empty if it may be others
 * @param help what the option does, in lines that fit beside the option's name
 */
public record Option(String name, String value, boolean repeatable, List<String> choices, List<String> help) {

    /** Says which values a shell can complete. */
    public enum Values {
        NONE,
        CHOICES,
        FILES,
        DIRECTORIES,
        TEXT
    }

    public static Option flag(String name, String... help) {
        return new Option(name, "", false, List.of(), List.of(help));
    }

    public static Option of(String name, String value, String... help) {
        return new Option(name, value, false, List.of(), List.of(help));
    }

    public static Option repeatable(String name, String value, String... help) {
        return new Option(name, value, true, List.of(), List.of(help));
    }

    /** Returns an option whose value may be left out: the next word is the value unless it begins with a dash. */
    public static Option optional(String name, String value, String... help) {
        return new Option(name, "[" + value + "]", false, List.of(), List.of(help));
    }

    /** Returns this option with the permitted words of its value. */
    public Option withChoices(String... words) {
        return new Option(name, value, repeatable, List.of(words), help);
    }

    public Values values() {
        if (!takesValue()) {
            return Values.NONE;
        }
        if (!choices.isEmpty()) {
            return Values.CHOICES;
        }
        if (value.equals("DIR")) {
            return Values.DIRECTORIES;
        }
        return value.equals("FILE") || value.equals("PATH") || value.startsWith("SRC:") ? Values.FILES : Values.TEXT;
    }

    /** Returns whether its value may be left out. */
    public boolean isValueOptional() {
        return value.startsWith("[");
    }

    public boolean takesValue() {
        return !value.isEmpty();
    }

    String usage() {
        return takesValue() ? name + " " + value : name;
    }
}
