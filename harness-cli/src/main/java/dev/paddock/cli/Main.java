package dev.paddock.cli;

import dev.paddock.cli.agent.AcpCommand;
import dev.paddock.cli.agent.AgentCommand;
import dev.paddock.cli.audit.AuditCommand;
import dev.paddock.cli.command.ArgumentBytes;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Habits;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.command.VersionCommand;
import dev.paddock.cli.demo.DemoCommand;
import dev.paddock.cli.doctor.DoctorCommand;
import dev.paddock.cli.guest.ContainerCommand;
import dev.paddock.cli.guest.GuestCommand;
import dev.paddock.cli.reference.CompletionCommand;
import dev.paddock.cli.reference.ManCommand;
import dev.paddock.cli.reference.Reference;
import dev.paddock.cli.sessions.SessionsCommand;
import dev.paddock.cli.setup.SetupCommand;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.workspace.WorkspaceCommand;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.config.SandboxConfigException;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.harness.audit.AuditException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The entry point of the {@code paddock} command. */
public final class Main {
    /** The commands in the sections of the help. */
    private static final List<Section> SECTIONS = List.of(
            new Section("Run commands", List.of("exec", "workspace", "guest", "container", "demo")),
            new Section("Work with agents", List.of("setup", "mcp", "agent", "acp", "sessions")),
            new Section("Configure and examine", List.of("config", "doctor", "audit", "gc")),
            new Section("About this program", List.of("version", "completion", "man")));

    private static final List<String> COMMANDS = commands();

    /** Without a lambda, which would slow each start. */
    private static List<String> commands() {
        List<String> all = new ArrayList<>();
        for (Section section : SECTIONS) {
            all.addAll(section.commands());
        }
        return List.copyOf(all);
    }

    private record Section(String title, List<String> commands) {}

    private static final Option HELP = Option.flag("--help", "shows this");

    private final InvocationContext caller;
    private final Console console;

    private Main(InvocationContext caller) {
        this.caller = caller;
        this.console = new Console(caller);
    }

    public static void main(String[] arguments) {
        Main main = create();
        main.exit(main.run(List.of(arguments)));
    }

    /** Returns the program with a process of its own. */
    static Main create() {
        Main main = new Main(JvmProcess.caller());
        JvmProcess.adopt(main.console, main.caller.wantsDetails());
        return main;
    }

    void exit(int exitCode) {
        JvmProcess.end(caller, exitCode);
    }

    /**
     * Runs the program within another one. Calls may run concurrently. When this returns, everything that the call has
     * started has ended, except a thread that waits for the caller's input.
     *
     * @param caller its process is {@link dev.paddock.cli.terminal.ProcessControl#NONE}
     * @return the exit code
     */
    public static int run(List<String> words, InvocationContext caller) {
        return CallerEnvironment.with(caller.environment(), () -> new Main(caller).run(words));
    }

    /** Runs the program and returns the exit code; does not exit the JVM. */
    int run(List<String> words) {
        int exitCode = guarded(words);
        console.out().flush();
        return console.exitCode(exitCode);
    }

    private int guarded(List<String> words) {
        try {
            ArgumentBytes.requireText(words);
            return dispatch(words);
        } catch (UsageException misuse) {
            console.complain(Console.text(misuse));
            return Console.MISUSED;
        } catch (SandboxConfigException refused) {
            console.complain(Console.text(refused));
            return Console.MISUSED;
        } catch (ExecutorException | AuditException failure) {
            console.complain(Console.text(failure));
            console.detail(failure);
            return Console.FAILED;
        } catch (RuntimeException | Error fault) {
            console.collapse(fault);
            return Console.FAILED;
        }
    }

    private int dispatch(List<String> words) {
        String first = words.isEmpty() ? "--help" : words.getFirst();
        return switch (first) {
            case "--help", "-h", "help" -> show(overview());
            case "--version", "-V" -> show("paddock " + Version.text() + "\n");
            default -> {
                Subcommand command = find(first).orElseThrow(() -> unknown(first));
                yield run(command, words.subList(1, words.size()));
            }
        };
    }

    private int run(Subcommand command, List<String> words) {
        try {
            List<Option> options =
                    Stream.concat(command.options().stream(), Stream.of(HELP)).toList();
            Arguments arguments = Arguments.parse(options, words, command.leadingOperands(words));
            return arguments.has(HELP) ? show(command.manual().render(options)) : command.run(arguments, caller);
        } catch (UsageException misuse) {
            throw new UsageException(
                    Console.text(misuse) + " (paddock " + command.name() + " --help lists the options)");
        }
    }

    private Optional<Subcommand> find(String name) {
        return switch (name) {
            case "exec" -> Optional.of(new ExecCommand(console));
            case "mcp" -> Optional.of(new McpCommand(console));
            case "setup" -> Optional.of(new SetupCommand(console));
            case "agent" -> Optional.of(new AgentCommand(console));
            case "acp" -> Optional.of(new AcpCommand(console));
            case "sessions" -> Optional.of(new SessionsCommand(console));
            case "workspace" -> Optional.of(new WorkspaceCommand(console, new ExecCommand(console)));
            case "guest" -> Optional.of(new GuestCommand(console));
            case "container" -> Optional.of(new ContainerCommand(console));
            case "config" -> Optional.of(new ConfigCommand(console));
            case "audit" -> Optional.of(new AuditCommand(console));
            case "doctor" -> Optional.of(new DoctorCommand(console));
            case "demo" -> Optional.of(new DemoCommand(console));
            case "gc" -> Optional.of(new GcCommand(console));
            case "version" -> Optional.of(new VersionCommand(console));
            case "completion" -> Optional.of(new CompletionCommand(console, this::reference));
            case "man" -> Optional.of(new ManCommand(console, this::reference));
            default -> Optional.empty();
        };
    }

    /** Returns every subcommand, for the documents that describe them. */
    private Reference reference() {
        return new Reference(
                COMMANDS.stream().flatMap(name -> find(name).stream()).toList(), HELP);
    }

    private UsageException unknown(String word) {
        boolean isOption = word.startsWith("-");
        String hint = Habits.command(word)
                .or(() -> Spelling.nearest(word, COMMANDS).map(similar -> "did you mean paddock " + similar + "?"))
                .or(() -> Optional.of("paddock exec -- " + word + " ... runs a program")
                        .filter(run -> !isOption))
                .map(text -> "; " + text)
                .orElse("");
        String kind = isOption ? "option " : "command ";
        return new UsageException("unknown " + kind + word + hint + " (paddock --help lists the commands)");
    }

    private String overview() {
        StringBuilder commands = new StringBuilder();
        for (Section section : SECTIONS) {
            commands.append(commands.isEmpty() ? "" : "\n")
                    .append(section.title())
                    .append(":\n");
            section.commands()
                    .forEach(name -> find(name)
                            .ifPresent(command -> Manual.entry(commands, command.name(), List.of(command.summary()))));
        }
        // Not a subcommand of this program: the script in a checkout builds the benchmarks on request.
        commands.append("\nIn a checkout:\n");
        Manual.entry(commands, "bench", List.of("measures the cost of a command in each sandbox"));
        return new Manual(
                        List.of("paddock COMMAND [options] ..."),
                        "Gives a model a shell without giving it the machine.",
                        commands
                                + "\npaddock COMMAND --help shows more. PADDOCK_DEBUG=1 shows where a fault came from.")
                .render(List.of());
    }

    private int show(String text) {
        console.out().print(text);
        return 0;
    }
}
