package dev.paddock.cli.agent;

import dev.paddock.cli.audit.AuditTrail;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Asking;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.SandboxOptions;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.dialogue.Dialogue;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.tools.skills.Skills;
import dev.paddock.harness.tools.web.WebAccess;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    private static final Option PLAIN =
            Option.flag("--plain", "writes plain lines at a terminal too, for a screen reader");
    private static final Option ASK = Asking.option(
            "at a terminal, before which calls you are asked: outside,",
            "the default, for those that no sandbox bounds; changes,",
            "for all that may change something; always; never");

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
                        AgentWorkspace.ALL,
                        List.of(SKILLS, WEB, RESUME, SESSION, MAX_TURNS, JSON, PLAIN, ASK),
                        SandboxFlags.ALL)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock agent --provider NAME --model NAME [-p PROMPT] [options]",
                        "paddock agent --script FILE [-p PROMPT] [options]",
                        "paddock agent --workspace ID [--checkpoint] [options]"),
                """
                Has a model read and edit the files of a directory on the host, and run commands
                in a sandbox. The prompt is PROMPT, or what is in a file, or what comes in on
                standard input; at a terminal, without one, prompts are asked for.
                With --workspace, the files and the sandbox are those of a workspace. With
                --checkpoint, the prompt /undo puts its files back to where they were before the
                last prompt, and again to the one before.
                """,
                """
                At a terminal, prompts are typed in a line editor, also while the model is at
                work: they wait for their turn. @path includes a file of the worktree, /help
                lists the commands. Esc or Ctrl-C aborts a run, and Ctrl-C twice ends the
                session. Elsewhere, and with --plain, what happens is shown in lines.

                The model reads the worktree's AGENTS.md and CLAUDE.md first, if there are any.

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
        Optional<Path> resumed = arguments.value(RESUME).map(caller.directory()::resolve);
        Optional<AgentWorkspace> workspace;
        try {
            workspace = AgentWorkspace.read(arguments, caller, console, resumed);
        } catch (WorkspaceException unusable) {
            console.complain(Console.text(unusable));
            return Console.FAILED;
        }
        if (workspace.isPresent()) {
            model.keepKeyFrom(workspace.get().environment().variables(), caller);
            return run(workspace.get(), model, arguments, caller, interrupts);
        }
        SandboxOptions sandbox = SandboxOptions.read(arguments, caller, console);
        model.keepKeyFrom(sandbox.policy().environment().variables(), caller);
        AgentSessionBuilder builder = session(arguments, caller, sandbox.session())
                .model(model.model())
                .systemPrompt(ProjectInstructions.read(sandbox.policy(), console));
        Prompts prompts = Prompts.read(arguments, caller);
        AgentRun run = new AgentRun(console, interrupts, Optional.empty());
        boolean isPlain = arguments.has(JSON) || arguments.has(PLAIN);
        if (prompts.asks() && !isPlain && Style.isTerminal(0, caller) && Style.isTerminal(1, caller)) {
            return converse(arguments, caller, run, new Parts(interrupts, sandbox, model, builder));
        }
        refuseQuestions(arguments);
        try (AuditTrail trail = AuditTrail.open(sandbox.auditing(), name(), caller, console);
                AgentView view = view(arguments, caller)) {
            run.showIn(view);
            interrupts.handTo(run);
            return open(run, trail.over(sandbox.open(console), sandbox.policy()), builder, prompts);
        }
    }

    /** The parts of a session whose prompts are typed. */
    private record Parts(
            Interrupts interrupts, SandboxOptions sandbox, ModelChoice model, AgentSessionBuilder builder) {}

    private int converse(Arguments arguments, InvocationContext caller, AgentRun run, Parts parts) {
        UsageSummary tally = new UsageSummary();
        try (AuditTrail trail = AuditTrail.open(parts.sandbox().auditing(), name(), caller, console);
                Dialogue dialogue = Dialogue.of(parts.sandbox(), parts.model(), run, tally::line, caller);
                AgentView view = AgentView.of(dialogue, tally, Style.of(caller))) {
            run.showIn(view);
            parts.interrupts().beforeHalt(dialogue::close);
            parts.interrupts().handTo(run);
            Asking asking = Asking.read(arguments, ASK, Asking.OUTSIDE);
            if (asking != Asking.NEVER) {
                parts.builder().approver(dialogue.approver(asking));
            }
            return open(
                    run,
                    trail.over(parts.sandbox().open(console), parts.sandbox().policy()),
                    parts.builder(),
                    new Typed(dialogue));
        }
    }

    /** Prompts that are typed at a terminal. */
    private record Typed(Dialogue dialogue) implements PromptSource {
        @Override
        public boolean asks() {
            return true;
        }

        @Override
        public Optional<String> next() {
            return dialogue.next();
        }
    }

    private static int open(AgentRun run, CommandExecutor executor, AgentSessionBuilder builder, PromptSource prompts) {
        builder.executor(executor).listener(run).listenerPatience(AgentView.READERS_PATIENCE);
        return run.run(executor, () -> SandboxOptions.build(builder), prompts);
    }

    private static AgentView view(Arguments arguments, InvocationContext caller) {
        if (arguments.has(JSON)) {
            return AgentView.json();
        }
        if (arguments.has(PLAIN)) {
            return AgentView.lines(new Style(false));
        }
        return Style.isTerminal(1, caller) ? AgentView.live(Style.of(caller)) : AgentView.lines(Style.of(caller));
    }

    private static void refuseQuestions(Arguments arguments) {
        Asking asking = Asking.read(arguments, ASK, Asking.NEVER);
        if (asking != Asking.NEVER) {
            throw new UsageException(
                    ASK.name() + " " + asking.word() + " asks at the line editor of a terminal, and there is"
                            + " none with -p, --prompt-file, --plain, --json or other input; leave it out");
        }
    }

    private int run(
            AgentWorkspace workspace,
            ModelChoice model,
            Arguments arguments,
            InvocationContext caller,
            Interrupts interrupts) {
        Prompts prompts = Prompts.read(arguments, caller);
        refuseQuestions(arguments);
        AgentRun run = new AgentRun(console, interrupts, workspace.checkpoints());
        try (AuditTrail trail = AuditTrail.open(SandboxOptions.auditing(arguments, caller), name(), caller, console);
                AgentView view = view(arguments, caller)) {
            AgentSessionBuilder builder = session(arguments, caller, workspace.session(arguments, trail))
                    .model(model.model());
            run.showIn(view);
            interrupts.handTo(run);
            builder.listener(run).listenerPatience(AgentView.READERS_PATIENCE);
            return run.run(workspace, () -> SandboxOptions.build(builder), prompts);
        }
    }

    private static AgentSessionBuilder session(
            Arguments arguments, InvocationContext caller, AgentSessionBuilder builder) {
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
