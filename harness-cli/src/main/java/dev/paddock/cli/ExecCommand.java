package dev.paddock.cli;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.CommandVariables;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Publishing;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.UserTerminal;
import dev.paddock.cli.workspace.ForegroundCommand;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.tools.hint.CommandHints;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements {@code paddock exec}: runs one command in a sandbox. */
final class ExecCommand implements Subcommand, ForegroundCommand {
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MAX_TIMEOUT = Duration.ofDays(365);

    /** The variable with the kind of terminal, which commands at a terminal need. */
    private static final String TERM = "TERM";

    private static final Option SCRIPT = Option.of("-c", "SCRIPT", "runs a shell script instead of COMMAND");
    private static final Option NO_INPUT =
            Option.flag("-n", "gives the command an empty input instead of passing on", "this program's own");
    private static final Option TIMEOUT = Option.of(
            "--timeout", "SECONDS", "ends the command after so long, such as 90 or 5m, and", "exits with 124");

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
        return Stream.of(runOptions(), SandboxFlags.ALL).flatMap(List::stream).toList();
    }

    @Override
    public List<Option> runOptions() {
        return Stream.of(List.of(SCRIPT, NO_INPUT), TerminalChoice.OPTIONS, List.of(TIMEOUT, Publishing.OF_THE_COMMAND))
                .flatMap(List::stream)
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
                Without a sandbox that can be used, nothing runs. From a terminal, the command
                has a terminal of its own, if the sandbox can give it one: keys such as Ctrl-C
                are the command's, and so are the terminal's size and TERM.
                """, """
                Exit codes: the command's own; 124 after a timeout; 125 if the sandbox is not
                available or failed; 126 or 127 if the command could not be started or found; 128+n
                for a signal; 2 for a mistake in the options.

                  paddock exec -- make test
                  paddock exec -- git add -p
                  paddock exec --executor bwrap --timeout 60 -c 'make test 2>&1 | tail'
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        Interrupts interrupts = Interrupts.catching(console);
        String command = command(arguments, arguments.operands());
        check(arguments, caller);
        ExecutionOptions sandbox = ExecutionOptions.read(arguments, caller, console);
        LateObservers observers = new LateObservers();
        try (CommandLineAudit trail = CommandLineAudit.open(sandbox.auditing(), name(), caller, console);
                CommandExecutor executor = trail.open(sandbox, observers, console)) {
            CommandHints hints = new CommandHints(sandbox.facts(executor, caller));
            SpawnOptions.Builder options = sandbox.in(executor).spawnOptions();
            if (arguments.has(SandboxFlags.SHELL)) {
                options.shell(sandbox.shell()); // the configuration's is of a model's commands
            }
            return run(executor, observers, command, options, Optional.of(hints), arguments, caller, interrupts);
        }
    }

    @Override
    public void check(Arguments arguments, InvocationContext caller) {
        var unusedTimeout = timeout(arguments);
        var unusedPorts = Publishing.read(arguments);
        var unusedChoice = TerminalChoice.read(arguments, NO_INPUT, caller);
    }

    private static Optional<Duration> timeout(Arguments arguments) {
        return arguments.value(TIMEOUT).map(text -> Numbers.seconds(TIMEOUT, text, MIN_TIMEOUT, MAX_TIMEOUT));
    }

    @Override
    public int run(
            CommandExecutor executor,
            LateObservers observers,
            String command,
            SpawnOptions.Builder options,
            Optional<CommandHints> hints,
            Arguments arguments,
            InvocationContext caller,
            Interrupts interrupts) {
        Optional<UserTerminal> terminal =
                TerminalChoice.read(arguments, NO_INPUT, caller).open(executor, caller);
        Execution execution = new Execution(console, caller.streams(), terminal, hints);
        Publishing.read(arguments).forEach(options::publish);
        options.signal(execution.signal())
                .stdin(arguments.has(NO_INPUT) ? SpawnOptions.Stdin.EMPTY : SpawnOptions.Stdin.PIPE);
        terminal.ifPresent(own -> {
            options.terminal(own.size().columns(), own.size().rows());
            interrupts.beforeHalt(own::restore);
            if (!CommandVariables.sets(arguments, TERM)) {
                caller.variable(TERM).ifPresent(type -> options.env(TERM, type));
            }
        });
        observers.observe(new DeniedHosts(execution::denied, hints));
        interrupts.handTo(execution);
        return execution.run(executor, command, options.build(), timeout(arguments));
    }

    @Override
    public String command(Arguments arguments, List<String> words) {
        Optional<String> script = arguments.value(SCRIPT);
        if (script.isPresent() && !words.isEmpty()) {
            throw new UsageException("give -c SCRIPT or a command, not both: '" + words.getFirst() + "'");
        }
        if (script.isEmpty() && words.isEmpty()) {
            throw new UsageException(
                    "there is no command to run; write it after the options, such as paddock exec -- ls");
        }
        if (script.orElseGet(words::getFirst).isBlank()) {
            throw new UsageException("there is no command to run: "
                    + (script.isPresent() ? SCRIPT.name() + " has" : "the command is")
                    + " an empty text; a variable of the calling shell may be unset");
        }
        return script.orElseGet(() -> ShellQuoting.posix(words));
    }
}
