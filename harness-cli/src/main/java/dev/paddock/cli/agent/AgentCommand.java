package dev.paddock.cli.agent;

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
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.tools.skills.Skills;
import dev.paddock.harness.tools.web.WebAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Implements {@code paddock agent}: a model works in a directory, and its commands run in a
 * sandbox.
 */
public final class AgentCommand implements Subcommand {
    private static final Option JSON = Option.flag("--json", "writes each event as one line of JSON");
    private static final Option RESUME = Option.of("--resume", "DIR", "goes on with the session that is kept in DIR");
    private static final Option SESSION =
            Option.of("--session", "DIR", "keeps the session in DIR instead of a new directory", "among your state");
    private static final Option MAX_TURNS =
            Option.of("--max-turns", "N", "how many turns the model may take, 200 by default");
    private static final Option SKILLS =
            Option.repeatable("--skills", "DIR", "offers the skills in DIR, directories with a SKILL.md");
    private static final Option WEB = Option.flag("--web", "lets the model read public web pages, from the host");

    private final Console console;

    public AgentCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "agent";
    }

    @Override
    public String summary() {
        return "has a model work in a directory, its commands in a sandbox";
    }

    @Override
    public List<Option> options() {
        return Stream.of(
                        Prompts.ALL,
                        ModelChoice.ALL,
                        List.of(SKILLS, WEB, RESUME, SESSION, MAX_TURNS, JSON),
                        SandboxOptions.ALL)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock agent --provider NAME --model NAME [-p PROMPT] [options]",
                        "paddock agent --script FILE [-p PROMPT] [options]"),
                """
                Has a model read and edit the files of a directory on the host, and run commands
                in a sandbox. The prompt is PROMPT, or what is in a file, or what comes in on
                standard input; at a terminal, without one, prompts are asked for.
                """,
                """
                Ctrl-C aborts what the model is at, and a second one ends the session. On a
                terminal, what happens is shown live; elsewhere in lines.

                The provider's key is read from its variable, and is never given to commands.

                Exit codes: 0 if the model came to its end; 1 if it failed; 3 if its turns were
                used up; 125 if the sandbox could not be had or failed; 128+n after signal n, so
                130 after Ctrl-C; 141 if nobody reads the output any more; 2 for a mistake in
                the options, or a missing key.

                  paddock agent --provider anthropic --model claude-sonnet-4-5 \\
                    -p 'Make the failing test pass.'
                  git diff | paddock agent --provider ollama --model qwen3 --json
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        Interrupts interrupts = Interrupts.catching();
        ModelChoice model = ModelChoice.read(arguments, caller);
        SandboxOptions sandbox = SandboxOptions.read(arguments, caller, console);
        model.keepKeyFrom(sandbox.policy().environment().variables(), caller);
        AgentSessionBuilder builder = session(arguments, caller, sandbox).model(model.model());
        Prompts prompts = Prompts.read(arguments, caller);
        try (AgentView view = AgentView.of(arguments.has(JSON), caller)) {
            AgentRun run = new AgentRun(console, view, interrupts);
            interrupts.handTo(run);
            CommandExecutor executor = sandbox.open(console);
            builder.executor(executor).listener(run).listenerPatience(AgentView.READERS_PATIENCE);
            return run.run(executor, () -> SandboxOptions.build(builder), prompts);
        }
    }

    private static AgentSessionBuilder session(Arguments arguments, InvocationContext caller, SandboxOptions sandbox) {
        AgentSessionBuilder builder = sandbox.session();
        if (arguments.has(RESUME) && arguments.has(SESSION)) {
            throw new UsageException("--resume goes on with a session and --session begins one: give one of them");
        }
        arguments
                .value(RESUME)
                .ifPresent(path -> builder.resume(caller.directory().resolve(path)));
        arguments
                .value(SESSION)
                .ifPresent(path -> builder.sessionDirectory(caller.directory().resolve(path)));
        List<Path> skills =
                arguments.all(SKILLS).stream().map(caller.directory()::resolve).toList();
        if (!skills.isEmpty()) {
            builder.skills(Skills.in(skills));
        }
        if (arguments.has(WEB)) {
            builder.webFetch(WebAccess.standard());
        }
        arguments.value(MAX_TURNS).ifPresent(text -> builder.maxTurns(Numbers.positive(MAX_TURNS, text)));
        return builder;
    }
}
