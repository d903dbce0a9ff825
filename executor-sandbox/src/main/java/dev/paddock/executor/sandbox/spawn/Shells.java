package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The shells of an executor's commands. */
public abstract class Shells {
    private static final List<String> BASH = List.of("/bin/bash", "/usr/bin/bash");

    private final String own;

    private Shells(String own) {
        this.own = own;
    }

    /**
     * Returns the shells of commands that see the system's programs at this machine's paths.
     *
     * @param own the executor's own shell, an absolute path; unless it is the default, the only one
     */
    static Shells ofThisMachine(String own) {
        return new Shells(own) {
            @Override
            Optional<String> bash() {
                return own.equals(HostEnvironment.SHELL)
                        ? BASH.stream()
                                .filter(path -> new File(path).canExecute())
                                .findFirst()
                        : Optional.empty();
            }

            @Override
            Set<CommandShell> all() {
                return bash().isPresent() ? Set.of(CommandShell.values()) : Set.of(CommandShell.OWN);
            }
        };
    }

    /** Returns the shells of a system that finds them by name on its {@code PATH}: {@code sh} and {@code bash}. */
    public static Shells ofAPlace() {
        return new Shells("sh") {
            @Override
            Optional<String> bash() {
                return Optional.of("bash");
            }

            @Override
            Set<CommandShell> all() {
                return Set.of(CommandShell.OWN, CommandShell.BASH_IF_PRESENT);
            }
        };
    }

    /** Returns bash; searches for it only in this call, since that takes time. */
    abstract Optional<String> bash();

    /** Returns the result of {@link dev.paddock.executor.CommandExecutor#shells()}. */
    abstract Set<CommandShell> all();

    /**
     * Returns the shell of a command.
     *
     * @throws SpawnException if it wants bash, and there is none
     */
    String program(CommandShell wanted) {
        if (wanted == CommandShell.OWN) {
            return own;
        }
        Optional<String> bash = bash();
        if (wanted == CommandShell.BASH && bash.isEmpty()) {
            throw new SpawnException(
                    "there is no bash to run the command: install it as /bin/bash, or let commands run in " + own);
        }
        return bash.orElse(own);
    }
}
