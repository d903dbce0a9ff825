package dev.paddock.cli.reference;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import java.util.List;
import java.util.function.Supplier;

/** Implements {@code paddock completion}: prints a shell's completion of the command line. */
public final class CompletionCommand implements Subcommand {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private final Console console;
    private final Supplier<Reference> reference;

    public CompletionCommand(Console console, Supplier<Reference> reference) {
        this.console = console;
        this.reference = reference;
    }

    @Override
    public String name() {
        return "completion";
    }

    @Override
    public String summary() {
        return "prints the completion of this command line for a shell";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public List<String> operands() {
        return SHELLS;
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock completion bash|zsh|fish"), """
                Prints a program for the shell that completes the subcommands, the options and
                their values. An installed package has put it where the shells look already.
                """, """
                In the shell's startup file:

                  eval "$(paddock completion bash)"    # ~/.bashrc
                  eval "$(paddock completion zsh)"     # ~/.zshrc, after compinit
                  paddock completion fish | source     # ~/.config/fish/config.fish
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        List<String> words = arguments.operands();
        if (words.size() != 1) {
            throw new UsageException("give one shell: " + String.join(", ", SHELLS));
        }
        console.out()
                .print(
                        switch (words.getFirst()) {
                            case "bash" -> BashCompletion.of(reference.get());
                            case "zsh" -> ZshCompletion.of(reference.get());
                            case "fish" -> FishCompletion.of(reference.get());
                            default ->
                                throw new UsageException("no completion for '" + words.getFirst() + "', only for "
                                        + String.join(", ", SHELLS));
                        });
        return 0;
    }
}
