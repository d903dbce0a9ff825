package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import java.util.List;

/**
 * Implements {@code paddock gc}: ends the processes and removes the resources that dead runs left
 * behind.
 */
final class GcCommand implements Subcommand {
    private final Console console;

    GcCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "gc";
    }

    @Override
    public String summary() {
        return "ends and removes what dead runs left behind";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock gc"), """
                Ends the processes and removes the containers and files of runs that are proven
                dead: after a crash of the machine, or if something was left all the same. What
                may belong to a live run is left alone.
                """, "Exit codes: 0; 1 if a backend could not be asked.");
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        Interrupts.catching();
        boolean isClean = true;
        int exitCode = 0;
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            try {
                for (String done : provider.sweep()) {
                    isClean = false;
                    System.out.println(provider.name() + ": " + done);
                }
            } catch (RuntimeException | LinkageError broken) {
                exitCode = 1;
                console.complain(provider.name() + " could not be cleaned up: " + Console.text(broken));
                console.detail(broken);
            }
        }
        if (isClean && exitCode == 0) {
            System.out.println("nothing to clean up");
        }
        return exitCode;
    }
}
