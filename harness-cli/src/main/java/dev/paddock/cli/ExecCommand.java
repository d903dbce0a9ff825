package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxOptions;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements {@code paddock exec}: runs one command in a sandbox. */
final class ExecCommand implements Subcommand {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final Option SCRIPT = Option.of("-c", "SCRIPT", "runs a shell script instead of COMMAND");
    private static final Option NO_INPUT =
            Option.flag("-n", "gives the command an empty input instead of passing on", "this program's own");
    private static final Option TIMEOUT =
            Option.of("--timeout", "SECONDS", "ends the command after so long, and exits with 124");

    private final Console console;

    ExecCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "exec";
    }

    @Override
    public String summary() {
        return "runs one command in a sandbox";
    }

    @Override
    public List<Option> options() {
        return Stream.concat(Stream.of(SCRIPT, NO_INPUT, TIMEOUT), SandboxOptions.ALL.stream())
                .toList();
    }

    @Override
    public boolean takesCommand() {
        return true;
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of("paddock exec [options] [--] COMMAND [ARG...]", "paddock exec [options] -c SCRIPT"), """
                Runs a command where it can do no harm, with this program's input and output.
                Without a sandbox that can be used, nothing runs.
                """, """
                Exit codes: the command's own; 124 after a timeout; 125 if the sandbox could not
                be had or failed; 126 or 127 if the command could not be started or found; 128+n
                for a signal; 2 for a mistake in the options.

                  paddock exec -- make test
                  paddock exec --executor bwrap --timeout 60 -c 'make test 2>&1 | tail'
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        Interrupts interrupts = Interrupts.catching();
        String command = command(arguments);
        Optional<Duration> timeout =
                arguments.value(TIMEOUT).map(text -> Numbers.seconds(TIMEOUT, text, SHORTEST, LONGEST));
        SandboxOptions sandbox = SandboxOptions.read(arguments, caller, console);
        try (CommandExecutor executor = sandbox.open(console)) {
            Execution execution = new Execution(console);
            SpawnOptions options = sandbox.spawnOptions()
                    .signal(execution.signal())
                    .stdin(arguments.has(NO_INPUT) ? SpawnOptions.Stdin.EMPTY : SpawnOptions.Stdin.PIPE)
                    .build();
            interrupts.handTo(execution);
            return execution.run(executor, command, options, timeout);
        }
    }

    private static String command(Arguments arguments) {
        List<String> words = arguments.operands();
        Optional<String> script = arguments.value(SCRIPT);
        if (script.isPresent() && !words.isEmpty()) {
            throw new UsageException("give -c SCRIPT or a command, not both: '" + words.getFirst() + "'");
        }
        if (script.isEmpty() && words.isEmpty()) {
            throw new UsageException("there is no command to run");
        }
        return script.orElseGet(() -> ShellQuoting.posix(words));
    }
}
