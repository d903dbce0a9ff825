package dev.paddock.cli.reference;

import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;

/** Writes the completion for fish. */
final class FishCompletion {
    private final StringBuilder script = new StringBuilder("# Completes the words of paddock in fish.\n");

    private FishCompletion() {}

    static String of(Reference reference) {
        FishCompletion completion = new FishCompletion();
        completion.line("complete -c paddock -f");
        completion.line("complete -c paddock -n __fish_use_subcommand -l help -d " + quoted("shows the subcommands"));
        completion.line("complete -c paddock -n __fish_use_subcommand -l version -d " + quoted("shows the version"));
        for (Subcommand command : reference.commands()) {
            completion.line("complete -c paddock -n __fish_use_subcommand -a " + command.name() + " -d "
                    + quoted(command.summary()));
            completion.subcommand(reference, command);
        }
        return completion.script.toString();
    }

    private void subcommand(Reference reference, Subcommand command) {
        String start = "complete -c paddock -n '__fish_seen_subcommand_from " + command.name() + "' ";
        for (Option option : reference.options(command)) {
            String name = option.name().startsWith("--")
                    ? "-l " + option.name().substring(2)
                    : "-s " + option.name().substring(1);
            line(start + name + values(option) + " -d " + quoted(Reference.sentence(option)));
        }
        if (command.takesCommand()) {
            line(start + "-a '(__fish_complete_subcommand --fcs-skip=2)'");
        } else if (!command.operands().isEmpty()) {
            line(start + "-a '" + String.join(" ", command.operands()) + "'");
        }
    }

    private static String values(Option option) {
        return switch (option.values()) {
            case NONE -> "";
            case CHOICES -> " -x -a '" + String.join(" ", option.choices()) + "'";
            case FILES -> " -r -F";
            case DIRECTORIES -> " -x -a '(__fish_complete_directories)'";
            case TEXT -> option.isValueOptional() ? "" : " -x";
        };
    }

    private void line(String line) {
        script.append(line).append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
