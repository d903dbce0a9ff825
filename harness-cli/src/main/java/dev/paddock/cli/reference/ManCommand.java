package dev.paddock.cli.reference;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import java.util.List;
import java.util.function.Supplier;

/** Implements {@code paddock man}: prints the manual page. */
public final class ManCommand implements Subcommand {
    private final Console console;
    private final Supplier<Reference> reference;

    public ManCommand(Console console, Supplier<Reference> reference) {
        this.console = console;
        this.reference = reference;
    }

    @Override
    public String name() {
        return "man";
    }

    @Override
    public String summary() {
        return "prints the manual page";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of("paddock man"),
                "Prints the manual page, all subcommands in one, in the form that man reads.",
                """
                  paddock man | man -l -
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        console.out().print(ManualPage.of(reference.get(), Version.text()));
        return 0;
    }
}
