package dev.paddock.cli.reference;

import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import java.util.stream.Collectors;

/** Writes the completion for zsh: a function to load by its name, or to evaluate after compinit. */
final class ZshCompletion {
    private ZshCompletion() {}

    static String of(Reference reference) {
        return """
                #compdef paddock
                # Completes the words of paddock in zsh.

                _paddock() {
                    local line state
                    local -a subcommands
                    subcommands=(
                %s    )
                    _arguments -C \\
                        '(- *)--help[shows the subcommands]' \\
                        '(- *)--version[shows the version]' \\
                        '1: :->command' \\
                        '*:: :->rest' && return
                    case $state in
                        command) _describe -t commands command subcommands ;;
                        rest)
                            case $words[1] in
                %s            esac
                            ;;
                    esac
                }

                if [[ $funcstack[1] == _paddock ]]; then
                    _paddock "$@"
                else
                    compdef _paddock paddock
                fi
                """.formatted(
                        reference.commands().stream()
                                .map(command -> "        '" + quoted(command.name() + ":" + command.summary()) + "'\n")
                                .collect(Collectors.joining()),
                        reference.commands().stream()
                                .map(command -> subcommand(reference, command))
                                .collect(Collectors.joining()));
    }

    private static String subcommand(Reference reference, Subcommand command) {
        String options = reference.options(command).stream()
                .map(option -> " \\\n                        '" + option(option) + "'")
                .collect(Collectors.joining());
        String operands = "";
        if (command.takesCommand()) {
            operands = " \\\n                        '(-)1:command:_command_names -e'"
                    + " \\\n                        '*::argument:_normal'";
        } else if (!command.operands().isEmpty()) {
            operands = " \\\n                        '1:shell:(" + String.join(" ", command.operands()) + ")'";
        }
        // An operand ends the options: later ones belong to the command.
        return "                " + command.name() + ")\n                    _arguments -S -A '-*'" + options + operands
                + "\n                    ;;\n";
    }

    private static String option(Option option) {
        String name = (option.repeatable() ? "*" : "") + option.name() + (hasLongName(option) ? "=" : "");
        String help =
                "[" + quoted(Reference.sentence(option)).replace("[", "\\[").replace("]", "\\]") + "]";
        String value = option.isValueOptional()
                ? option.value().substring(1, option.value().length() - 1)
                : option.value();
        String label = (option.isValueOptional() ? "::" : ":") + quoted(value).replace(":", "\\:") + ":";
        return switch (option.values()) {
            case NONE -> name + help;
            case CHOICES -> name + help + label + "(" + String.join(" ", option.choices()) + ")";
            case FILES -> name + help + label + "_files";
            case DIRECTORIES -> name + help + label + "_files -/";
            case TEXT -> name + help + label + " ";
        };
    }

    private static boolean hasLongName(Option option) {
        return option.takesValue() && option.name().startsWith("--");
    }

    /** Escapes a text for single quotes. */
    private static String quoted(String text) {
        return text.replace("'", "'\\''");
    }
}
