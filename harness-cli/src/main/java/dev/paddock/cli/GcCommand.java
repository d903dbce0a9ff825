package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Implements {@code paddock gc}: ends the processes and removes the resources of dead runs. */
final class GcCommand implements Subcommand {
    /** Bounds the wait for all backends, which sweep concurrently. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    /** The bound at a terminal, where a person can interrupt the wait. */
    private static final Duration LONG_BOUND = Duration.ofSeconds(60);

    private static final String TEMPORARY = "temporary directories";

    private static final Option ACCEPT =
            Option.of("--accept", "PATH", "accepts a file that was changed when a session had been killed");

    private static final Option DRY_RUN = Option.flag("--dry-run", "names the leftovers, and ends and removes none");

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
        return "ends and removes the leftovers of dead runs";
    }

    @Override
    public List<Option> options() {
        return List.of(DRY_RUN, ACCEPT);
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of("paddock gc [--dry-run]", "paddock gc --accept PATH"),
                """
                Ends the processes and removes the containers, directories and control groups
                of runs that are proven dead: after a crash of the machine, or after a kill of
                all processes of a run. Nothing that may belong to a live run is changed. With
                --dry-run: names each process and resource, one a line, and changes nothing.
                With --accept: removes nothing, and keeps the file as it is, which a killed
                session's command or you have changed.
                """,
                "Exit codes: 0; 1 if a backend's leftovers could not be listed or removed.");
    }

    /** Returns the installed backends that leave something to sweep or to accept, by name. */
    private static Map<String, BackendUpkeep> backends() {
        Map<String, BackendUpkeep> found = new LinkedHashMap<>();
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            if (provider instanceof BackendUpkeep own) {
                found.put(provider.name(), own);
            }
        }
        return found;
    }

    private int accept(Path path) {
        for (BackendUpkeep backend : backends().values()) {
            try {
                List<Path> worktrees = backend.accept(path);
                if (!worktrees.isEmpty()) {
                    console.out().println("accepted in the worktree " + worktrees.get(0));
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
        Interrupts.catching(console);
        Optional<String> accepted = arguments.value(ACCEPT);
        if (accepted.isPresent() && arguments.has(DRY_RUN)) {
            throw new UsageException("--accept removes nothing, and --dry-run has nothing to name: give one of them");
        }
        if (accepted.isPresent()) {
            return accept(caller.directory().resolve(accepted.get()).normalize());
        }
        return sweep(arguments.has(DRY_RUN) ? SweepMode.DRY_RUN : SweepMode.REMOVE, bound(caller));
    }

    static Duration bound(InvocationContext caller) {
        return caller.leadsToTerminal(0) && caller.leadsToTerminal(2) ? LONG_BOUND : BOUND;
    }

    private int sweep(SweepMode mode, Duration bound) {
        Map<String, CompletableFuture<List<String>>> sweeps = new LinkedHashMap<>();
        backends().forEach((name, backend) -> sweeps.put(name, sweep(name, () -> backend.sweep(mode, bound))));
        sweeps.put(TEMPORARY, sweep(TEMPORARY, () -> sweepTemporary(mode)));
        long deadline = System.nanoTime() + bound.toNanos();
        // A process or control group that several backends may have left is named once.
        Set<String> named = new HashSet<>();
        int exitCode = 0;
        for (Map.Entry<String, CompletableFuture<List<String>>> sweep : sweeps.entrySet()) {
            String name = sweep.getKey();
            try {
                List<String> done = sweep.getValue().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                done.stream().filter(named::add).forEach(phrase -> console.out().println(name + ": " + phrase));
            } catch (ExecutionException broken) {
                exitCode = 1;
                Throwable fault = sweep.getValue().exceptionNow();
                console.complain(name + " could not be cleaned up: " + Console.text(fault));
                console.detail(fault);
            } catch (TimeoutException silence) {
                exitCode = 1;
                console.complain(name + " could not be cleaned up: no answer within " + bound.toSeconds()
                        + " s; paddock doctor says whether it can be used");
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException("the main thread was interrupted", unexpected);
            }
        }
        if (named.isEmpty() && exitCode == 0) {
            console.out().println("nothing to clean up");
        }
        return exitCode;
    }

    /** Removes the directories of killed guests, and the shadows of killed containers. */
    private static List<String> sweepTemporary(SweepMode mode) {
        try {
            return OwnedDirectory.sweep(OwnedDirectory.temporary(), mode);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Sweeps on a separate thread, so that a backend that does not answer delays no other. */
    private static CompletableFuture<List<String>> sweep(String name, Supplier<List<String>> sweep) {
        CompletableFuture<List<String>> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        done.complete(sweep.get());
                    } catch (RuntimeException | Error broken) {
                        done.completeExceptionally(broken);
                    }
                },
                "paddock-sweep-" + name);
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
