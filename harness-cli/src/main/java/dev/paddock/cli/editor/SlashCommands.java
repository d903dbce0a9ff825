package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.executor.config.spelling.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The commands that are typed instead of a prompt; {@code /help} lists them. */
public final class SlashCommands {
    /** A path, such as {@code /etc/hosts}, begins a prompt. */
    private static final Pattern NAME = Pattern.compile("/[A-Za-z?-]*");

    private static final int USAGE_WIDTH = 14;

    private final List<SlashCommand> commands;

    /**
     * Creates a list of these commands and {@code /help}.
     *
     * @param keys lines of the help about keys
     */
    public SlashCommands(List<SlashCommand> others, List<String> keys) {
        List<SlashCommand> all = new ArrayList<>();
        all.add(new SlashCommand("/help", "", "lists the commands and the keys", none -> help(keys)));
        all.addAll(others);
        commands = List.copyOf(all);
    }

    List<String> names() {
        return commands.stream().map(SlashCommand::name).toList();
    }

    /** Returns whether a line is a command, known or not. */
    static boolean isCommand(String line) {
        return NAME.matcher(name(line)).matches();
    }

    private static String name(String line) {
        return line.strip().split("\\s", 2)[0];
    }

    /** Carries out a line that is a command, and returns the lines to show. */
    List<String> run(String line) {
        String name = name(line);
        Optional<SlashCommand> command =
                commands.stream().filter(one -> one.name().equals(name)).findFirst();
        if (command.isEmpty()) {
            String hint = Spelling.nearest(name, names())
                    .map(near -> "; did you mean " + near + "?")
                    .orElse("");
            return List.of(
                    "there is no command " + Printable.line(name, USAGE_WIDTH * 2) + hint + " (/help lists them)");
        }
        String argument = line.strip().substring(name.length()).strip();
        if (command.get().argument().isEmpty() && !argument.isEmpty()) {
            return List.of(name + " takes no argument");
        }
        return command.get().action().apply(argument);
    }

    private List<String> help(List<String> keys) {
        List<String> lines = new ArrayList<>();
        commands.forEach(one -> lines.add("  " + one.usage()
                + " ".repeat(Math.max(1, USAGE_WIDTH - one.usage().length())) + one.summary()));
        keys.forEach(line -> lines.add("  " + line));
        return lines;
    }
}
