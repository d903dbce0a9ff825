package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Implements {@code paddock gc}: ends the processes and removes the resources that dead runs left
 * behind.
 */
final class GcCommand implements Subcommand {
    private static final Option ACCEPT =
            Option.of("--accept", "PATH", "accepts a file that was changed when a session had been killed");

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
        return List.of(ACCEPT);
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of("paddock gc", "paddock gc --accept PATH"),
                """
                Ends the processes and removes the containers and files of runs that are proven
                dead: after a crash of the machine, or if something was left all the same. What
                may belong to a live run is left alone. With --accept: nothing is removed, and
                the file stays as it is, which a killed session's command or you have changed.
                """,
                "Exit codes: 0; 1 if a backend could not be asked.");
    }

    private int accept(Path path) {
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            try {
                List<Path> worktrees = provider.accept(path);
                if (!worktrees.isEmpty()) {
                    System.out.println("accepted in the worktree " + worktrees.get(0));
                    return 0;
                }
            } catch (ExecutorException fault) {
                console.complain(Console.text(fault));
                return 1;
            }
        }
        console.complain("no killed session has left a worktree that contains '" + path + "'");
        return 1;
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        Optional<String> accepted = arguments.value(ACCEPT);
        if (accepted.isPresent()) {
            return accept(Path.of(accepted.get()).toAbsolutePath().normalize());
        }
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
