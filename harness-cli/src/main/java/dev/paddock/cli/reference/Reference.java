package dev.paddock.cli.reference;

import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * The subcommands that the documents describe.
 *
 * @param commands the subcommands, in the order of the help
 * @param help the option that every subcommand has in addition to its own
 */
public record Reference(List<Subcommand> commands, Option help) {

    public Reference {
        commands = List.copyOf(commands);
    }

    /** Returns the names of the subcommands. */
    List<String> names() {
        return commands.stream().map(Subcommand::name).toList();
    }

    /** Returns all options that a subcommand accepts. */
    List<Option> options(Subcommand command) {
        return Stream.concat(command.options().stream(), Stream.of(help)).toList();
    }

    /**
     * Returns the options that take a value, each once. A name has the same kind of value in every
     * subcommand, so that completions decide by the name alone.
     *
     * @throws IllegalStateException if two subcommands disagree about an option's values
     */
    Collection<Option> valued() {
        LinkedHashMap<String, Option> options = new LinkedHashMap<>();
        for (Option option :
                commands.stream().flatMap(command -> options(command).stream()).toList()) {
            Option other = options.putIfAbsent(option.name(), option);
            if (other != null
                    && (other.values() != option.values() || !other.choices().equals(option.choices()))) {
                throw new IllegalStateException("two subcommands take different values of " + option.name());
            }
        }
        return options.values().stream().filter(Reference::needsValue).toList();
    }

    /** Returns whether the word after an option is its value, whatever it is. */
    static boolean needsValue(Option option) {
        return option.takesValue() && !option.isValueOptional();
    }

    /** Returns an option's help in one line. */
    static String sentence(Option option) {
        return String.join(" ", option.help());
    }
}
