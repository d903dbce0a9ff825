package dev.paddock.cli.guest;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.command.WorktreeChoice;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.guest.GuestCode;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.GuestResult;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements {@code paddock guest}: runs JavaScript and TypeScript over the worktree. */
public final class GuestCommand implements Subcommand {
    private static final Duration MAX_TIMEOUT = Duration.ofHours(24);
    private static final int THREW = 1;
    private static final int TIMED_OUT = 124;

    private static final Option INPUT = Option.of("--input", "JSON", "the function's first argument; null by default");
    private static final Option EXPORT =
            Option.of("--export", "NAME", "the function to call; run by default, else the", "module's default one");
    private static final Option ENGINE = Option.of(
                    "--engine",
                    "quickjs|node",
                    "quickjs (the default) comes with paddock and is a wall",
                    "of its own; node is yours, and the sandbox the only wall")
            .withChoices("quickjs", "node");
    private static final Option TIMEOUT =
            Option.of("--timeout", "SECONDS", "ends the code after so long, 5 by default, and exits", "with 124");

    private final Console console;

    /** Creates the subcommand. */
    public GuestCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "guest";
    }

    @Override
    public String summary() {
        return "runs JavaScript or TypeScript over the worktree, in a sandbox";
    }

    @Override
    public List<Option> options() {
        return Stream.concat(
                        ContainerFlags.ALL.stream(),
                        Stream.of(SandboxFlags.IMAGE, SandboxFlags.MEMORY, INPUT, EXPORT, ENGINE, TIMEOUT))
                .toList();
    }

    @Override
    public List<String> operands() {
        return List.of("run", "types");
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock guest run FILE [--input JSON] [options]", "paddock guest types"), """
                Calls the function that a module of the worktree exports, and prints its result as
                JSON. The module and what it imports are .js, .mjs, .ts, .tsx, .json and .txt files
                of the worktree. The code has the bindings WORKSPACE, EXEC, ENV, SECRETS and
                OBSERVE, and nothing else: no network, no file and no process of its own. What it
                logs goes to standard error.

                types prints the TypeScript declarations of the bindings and the global names.
                """, """
                Exit codes: 0; 1 if the code threw or could not be loaded; 124 after --timeout; 125
                if it could not be run; 2 for a mistake in the options.

                  paddock guest run count.ts --input '{"pattern": "*.md"}'
                  paddock guest types > paddock.d.ts
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        List<String> words = arguments.operands();
        if (words.equals(List.of("types"))) {
            console.out().print(GuestCode.declarations());
            return 0;
        }
        if (words.size() != 2 || !words.getFirst().equals("run")) {
            throw new UsageException("give run and a file of the worktree, or types");
        }
        GuestOptions options = options(arguments);
        GuestCode code = GuestCode.file(file(words.get(1), arguments, caller)).input(input(arguments));
        Optional<String> export = arguments.value(EXPORT);
        Interruption interruption = new Interruption();
        Interrupts.catching(console).handTo(interruption);
        try (AgentContainer container = ContainerFlags.read(arguments, caller).build();
                GuestSession guests = GuestSession.open(container, options)) {
            GuestResult result =
                    guests.run(export.isPresent() ? code.export(export.get()) : code, interruption.abort.signal());
            result.logs().forEach(console.err()::println);
            console.out().println(result.result());
            return 0;
        } catch (GuestException fault) {
            return report(fault);
        } catch (AbortedException interrupted) {
            return interruption.exitCode;
        } catch (FileException | UncheckedIOException fault) {
            console.complain(Console.text(fault));
            console.detail(fault);
            return Console.FAILED;
        }
    }

    private int report(GuestException fault) {
        fault.logs().forEach(console.err()::println);
        String stack = fault.guestStack().isEmpty() ? "" : "\n" + fault.guestStack();
        console.complain(fault.name() + ": " + Console.text(fault) + stack);
        return switch (fault.kind()) {
            case TIMEOUT -> TIMED_OUT;
            case LIMIT, LOST -> Console.FAILED;
            case MODULE, THROWN -> THREW;
        };
    }

    private static GuestOptions options(Arguments arguments) {
        Map<String, String> settings = arguments
                .value(SandboxFlags.IMAGE)
                .map(image -> Map.of("image", image))
                .orElse(Map.of());
        GuestOptions options = GuestOptions.standard()
                .warm(0)
                .backend(arguments.value(SandboxFlags.EXECUTOR).orElse(SandboxFlags.AUTO), settings);
        if (arguments.value(ENGINE).filter("node"::equals).isPresent()) {
            options = options.engine(GuestOptions.Engine.NODE);
        }
        if (arguments.has(TIMEOUT)) {
            options = options.timeout(
                    Numbers.seconds(TIMEOUT, arguments.value(TIMEOUT).orElse(""), Duration.ofMillis(1), MAX_TIMEOUT));
        }
        GuestOptions given = options;
        return arguments
                .value(SandboxFlags.MEMORY)
                .map(text ->
                        ContainerFlags.valid(SandboxFlags.MEMORY, () -> given.memory(ResourceLimits.parseBytes(text))))
                .orElse(options);
    }

    private static Json input(Arguments arguments) {
        Optional<String> text = arguments.value(INPUT);
        if (text.isEmpty()) {
            return Json.of(null);
        }
        try {
            return Json.parse(text.get());
        } catch (IllegalArgumentException malformed) {
            throw new UsageException(INPUT.name() + " is no JSON: '" + text.get() + "': " + malformed.getMessage());
        }
    }

    /** Returns the workspace's name of a file. The caller's directory may be named by a link. */
    private static String file(String given, Arguments arguments, InvocationContext caller) {
        Path worktree = WorktreeChoice.read(arguments, caller);
        Path file = caller.directory().resolve(given).normalize();
        Path parent = Optional.ofNullable(file.getParent()).orElse(file);
        try {
            file = parent.toRealPath().resolve(file.getFileName());
        } catch (IOException missing) {
            throw new UsageException("there is no '" + given + "'");
        }
        if (!file.startsWith(worktree) || file.equals(worktree)) {
            throw new UsageException(
                    "'" + given + "' is not in the worktree '" + worktree + "'; --worktree DIR chooses another");
        }
        return worktree.relativize(file).toString();
    }

    /** Aborts the guest's run at a signal. */
    private static final class Interruption implements Interrupts.Work {
        private final AbortController abort = new AbortController();
        private volatile int exitCode = Console.FAILED;

        @Override
        public void end(int code) {
            exitCode = code;
            abort.abort("interrupted");
        }

        @Override
        public void endAtOnce() {
            abort.abort("interrupted");
        }
    }
}
