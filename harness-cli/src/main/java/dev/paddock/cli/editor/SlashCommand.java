package dev.paddock.cli.editor;

import java.util.List;
import java.util.function.Function;

/**
 * A command that is typed instead of a prompt.
 *
 * @param name the name, with its slash
 * @param argument the name of its argument in the help; empty for a command that takes none
 * @param summary what it does, in a few words
 * @param action carries it out for an argument, which is empty if none is given, and returns the lines to show, whose
 *     only control characters are those of a style. It runs on a separate thread, also while the model is at work,
 *     and may block
 */
public record SlashCommand(String name, String argument, String summary, Function<String, List<String>> action) {

    String usage() {
        return argument.isEmpty() ? name : name + " " + argument;
    }
}
