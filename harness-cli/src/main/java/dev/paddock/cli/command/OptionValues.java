package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import java.nio.file.InvalidPathException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Parses the values of options; a refusal names the option and the value. */
final class OptionValues {
    private OptionValues() {}

    static <T> Optional<T> value(Arguments arguments, Option option, Function<String, T> parser) {
        return arguments.value(option).map(text -> parse(option, text, parser));
    }

    static <T> T parse(Option option, String text, Function<String, T> parser) {
        return refusingMisuse(option.name() + " " + text + ": ", () -> parser.apply(text));
    }

    /**
     * Runs an action and converts an illegal argument into a usage error: the argument came from
     * the command line.
     */
    static <T> T refusingMisuse(String at, Supplier<T> action) {
        try {
            return action.get();
        } catch (InvalidPathException noPath) {
            throw new UsageException(at + "not a path: '" + noPath.getInput() + "'");
        } catch (IllegalArgumentException refused) {
            throw new UsageException(at + Console.text(refused));
        }
    }
}
