package dev.paddock.cli.agent;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.AgentConfig;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Asking;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Publishing;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.dialogue.Dialogue;
import dev.paddock.cli.dialogue.SessionScope;
import dev.paddock.cli.sessions.LastExchange;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.TerminalWidth;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.config.Auditing;
import dev.paddock.executor.config.McpServer;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Implements {@code paddock agent}: a model works in a directory, and its commands run in a
 * sandbox.
 */
public final class AgentCommand implements Subcommand {
    private static final Option JSON = Option.flag("--json", "writes each event as one line of JSON");
    private static final Option SESSION =
            Option.of("--session", "DIR", "keeps the session in DIR instead of a new directory", "among your state");

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
                        List.of(
                                SessionExtras.SKILLS,
                                SessionExtras.WEB,
                                McpServers.HOST_SERVER,
                                ResumeChoice.RESUME,
                                SESSION,
                                SessionExtras.MAX_TURNS,
                                JSON,
                                PLAIN,
                                ASK,
                                Publishing.OF_SHELLS),
                        SandboxFlags.ALL)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock agent --provider NAME --model NAME [-p PROMPT] [options]",
                        "paddock agent [--model NAME] [-p PROMPT] [options]",
                        "paddock agent --resume [SESSION] [options]",
                        "paddock agent --script FILE [-p PROMPT] [options]",
                        "paddock agent --workspace ID [--checkpoint] [options]"),
                """
                Has a model read and edit the files of a directory on the host, and run commands
                in a sandbox. The prompt is PROMPT, or the text of a file or of standard input; at
                a terminal, without one, prompts are asked for.
                With --workspace, the files and the sandbox are those of a workspace. With
                --checkpoint, the prompt /undo puts its files back to where they were before the
                last prompt, and again to the one before.

                Without --provider the model is the one that --model names below 'models' in your
                paddock.yaml, that of the resumed session, or the one named 'default' there. The
                tools of the MCP servers below 'mcp' there are the model's, too.
                """,
                """
                At a terminal, prompts are typed in a line editor, also while the model is at
                work: they wait for their turn. @path includes a file of the worktree, /help
                lists the commands. Esc or Ctrl-C aborts a run, and Ctrl-C twice ends the
                session. Elsewhere, and with --plain, the run is shown in lines.

                The model reads the worktree's AGENTS.md and CLAUDE.md first, if there are any.

                The provider's key is read from its variable, and is never given to commands.

                Exit codes: 0 if the model came to its end; 1 if it failed; 3 if its turns were
                used up; 125 if the sandbox is not available or failed; 128+n after signal n, so
                130 after Ctrl-C; 141 if the reader of the output has closed it; 2 for a mistake
                in the options, or a missing key.

                  paddock agent --provider anthropic --model claude-sonnet-4-5 \\
                    -p 'Make the failing test pass.'
                  git diff | paddock agent --provider ollama --model qwen3 --json
                  paddock agent --resume last -p 'And now the documentation.'
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        if (arguments.has(ResumeChoice.RESUME) && arguments.has(SESSION)) {
            throw new UsageException("--resume goes on with a session and --session begins one: give one of them");
        }
        Interrupts interrupts = Interrupts.catching(console);
        Optional<StoredSession> resumed = ResumeChoice.read(arguments, caller, console);
        Optional<AgentWorkspace> workspace;
        try {
            workspace = AgentWorkspace.read(arguments, caller, console, resumed);
        } catch (WorkspaceException unusable) {
            console.complain(Console.text(unusable));
            return Console.FAILED;
        }
        AgentConfig config =
                workspace.isPresent() ? AgentConfig.readOwn(arguments, caller) : AgentConfig.read(arguments, caller);
        Optional<SessionNote.LastModel> remembered =
                resumed.map(SessionNote::of).flatMap(SessionNote::model);
        ModelChoice model = ModelChoice.read(arguments, caller, config.models(), remembered);
        Site site = workspace
                .map(one -> inWorkspace(one, arguments, caller))
                .orElseGet(() -> inDirectory(ExecutionOptions.read(arguments, caller, console)));
        model.keepKeyFrom(site.variables(), caller);
        Prompts prompts = Prompts.read(arguments, caller, console);
        boolean hasEditor = hasEditor(prompts, arguments, caller);
        List<McpServer> servers =
                McpServers.permitted(config.servers(), arguments, hasEditor, site.isOnHost(), console);
        Function<CommandLineAudit, AgentSessionBuilder> builder = trail -> {
            AgentSessionBuilder one = session(arguments, caller, site.session().apply(trail), resumed)
                    .model(model.model())
                    .systemPrompt(ProjectInstructions.read(site.scope(), console));
            McpServers.add(servers, one, caller);
            return one;
        };
        SessionNote note = new SessionNote(
                Optional.of(site.scope().worktree().hostPath().toString()),
                site.scope().workspace(),
                Optional.empty(),
                List.of());
        AgentRun run = new AgentRun(
                console, interrupts, workspace.flatMap(AgentWorkspace::checkpoints), () -> note.with(model.source()));
        Parts parts = new Parts(run, interrupts, site, model, builder, resumed);
        if (hasEditor) {
            return converse(arguments, caller, parts);
        }
        refuseQuestions(arguments);
        try (CommandLineAudit trail = CommandLineAudit.open(site.auditing(), name(), caller, console);
                AgentView view = view(arguments, caller)) {
            run.showIn(view);
            if (prompts.asks()) {
                resumed.ifPresent(session -> LastExchange.lines(session, new Style(false), TerminalWidth.USUAL)
                        .forEach(console.err()::println));
            }
            interrupts.handTo(run);
            return open(parts, trail, builder.apply(trail), prompts, Optional.empty());
        }
    }

    private static boolean hasEditor(Prompts prompts, Arguments arguments, InvocationContext caller) {
        boolean isPlain = arguments.has(JSON) || arguments.has(PLAIN);
        return prompts.asks() && !isPlain && caller.isTerminal(0) && caller.isTerminal(1);
    }

    /**
     * Where a session works, and how its executor and its builder are created.
     *
     * @param isOnHost whether the user has chosen the host for its commands
     * @param variables the variables of commands
     * @param observers observe the connections of its commands
     * @param executor opens the executor, whose disposal ends its commands
     * @param placing sets the opened executor in the session's builder
     */
    private record Site(
            SessionScope scope,
            boolean isOnHost,
            Map<String, String> variables,
            Auditing auditing,
            LateObservers observers,
            Function<CommandLineAudit, CommandExecutor> executor,
            Function<CommandLineAudit, AgentSessionBuilder> session,
            BiConsumer<AgentSessionBuilder, CommandExecutor> placing) {}

    private Site inDirectory(ExecutionOptions sandbox) {
        LateObservers observers = new LateObservers();
        return new Site(
                SessionScope.of(sandbox.policy()),
                sandbox.executor().equals(SandboxFlags.HOST),
                sandbox.policy().environment().variables(),
                sandbox.auditing(),
                observers,
                trail -> trail.open(sandbox, observers, console),
                trail -> sandbox.session(),
                sandbox::place);
    }

    private Site inWorkspace(AgentWorkspace workspace, Arguments arguments, InvocationContext caller) {
        WorkspaceEntry entry = workspace.entry();
        return new Site(
                SessionScope.ofWorkspace(entry),
                false,
                workspace.environment().variables(),
                ExecutionOptions.auditing(arguments, caller),
                workspace.observers(),
                trail -> workspace,
                trail -> workspace.session(arguments, trail),
                (builder, opened) -> {});
    }

    private record Parts(
            AgentRun run,
            Interrupts interrupts,
            Site site,
            ModelChoice model,
            Function<CommandLineAudit, AgentSessionBuilder> builder,
            Optional<StoredSession> resumed) {}

    private int converse(Arguments arguments, InvocationContext caller, Parts parts) {
        UsageSummary tally = new UsageSummary();
        try (CommandLineAudit trail = CommandLineAudit.open(parts.site().auditing(), name(), caller, console);
                Dialogue dialogue =
                        Dialogue.of(parts.site().scope(), parts.model(), parts.run(), tally::line, caller, console);
                AgentView view = AgentView.of(dialogue, tally, Style.of(caller), parts.resumed())) {
            parts.run().showIn(view);
            parts.interrupts().beforeHalt(dialogue::close);
            parts.interrupts().handTo(parts.run());
            AgentSessionBuilder builder = parts.builder().apply(trail);
            Asking asking = Asking.read(arguments, ASK, Asking.OUTSIDE);
            Optional<HostApprover> hosts = Optional.empty();
            if (asking != Asking.NEVER) {
                builder.approver(dialogue.approver(asking));
                hosts = Optional.of(dialogue.hostApprover());
            }
            return open(parts, trail, builder, new Typed(dialogue), hosts);
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

    private static int open(
            Parts parts,
            CommandLineAudit trail,
            AgentSessionBuilder builder,
            PromptSource prompts,
            Optional<HostApprover> hosts) {
        hosts.ifPresent(parts.site().observers()::approveHosts);
        CommandExecutor executor = parts.site().executor().apply(trail);
        parts.site().placing().accept(builder, executor);
        builder.listener(parts.run()).listenerPatience(AgentView.READERS_PATIENCE);
        return parts.run().run(executor, () -> ExecutionOptions.build(builder), prompts);
    }

    private AgentView view(Arguments arguments, InvocationContext caller) {
        if (arguments.has(JSON)) {
            return AgentView.json(console);
        }
        if (arguments.has(PLAIN)) {
            return AgentView.lines(console, new Style(false));
        }
        return caller.isTerminal(1)
                ? AgentView.live(console, Style.of(caller))
                : AgentView.lines(console, Style.of(caller));
    }

    private static void refuseQuestions(Arguments arguments) {
        Asking asking = Asking.read(arguments, ASK, Asking.NEVER);
        if (asking != Asking.NEVER) {
            throw new UsageException(
                    ASK.name() + " " + asking.word() + " asks at the line editor of a terminal, and there is"
                            + " none with -p, --prompt-file, --plain, --json or other input; leave it out");
        }
    }

    private static AgentSessionBuilder session(
            Arguments arguments,
            InvocationContext caller,
            AgentSessionBuilder builder,
            Optional<StoredSession> resumed) {
        resumed.ifPresent(session -> builder.resume(session.directory()));
        Publishing.read(arguments).forEach(builder::publish);
        arguments
                .value(SESSION)
                .ifPresent(path -> builder.sessionDirectory(caller.directory().resolve(path)));
        return SessionExtras.add(builder, arguments, caller);
    }
}
