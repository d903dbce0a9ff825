package dev.paddock.cli.agent;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.AgentConfig;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.dialogue.SessionScope;
import dev.paddock.cli.sessions.SessionList;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.config.McpServer;
import dev.paddock.executor.config.SandboxConfigException;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.acp.AcpListing;
import dev.paddock.harness.acp.AcpOpening;
import dev.paddock.harness.acp.AcpRefusedException;
import dev.paddock.harness.acp.AcpRefusedException.Reason;
import dev.paddock.harness.acp.AcpSession;
import dev.paddock.harness.acp.AcpSessions;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.mcp.McpToolSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Opens the sessions of {@code paddock acp}, each in the directory that the editor names. */
final class EditorSite implements AcpSessions {
    private static final int MAX_SERVER_NAME = 24;
    private static final int TITLE_COLUMNS = 80;

    private final Arguments arguments;
    private final InvocationContext caller;
    private final Console console;

    EditorSite(Arguments arguments, InvocationContext caller, Console console) {
        this.arguments = arguments;
        this.caller = caller;
        this.console = console;
    }

    @Override
    public AcpSession open(AcpOpening opening) {
        return refusing(() -> opened(opening));
    }

    /**
     * Runs an action with the caller's environment, on the server's thread, and converts its failures to refusals for
     * the editor's user.
     */
    private <T> T refusing(Supplier<T> action) {
        try {
            return CallerEnvironment.with(caller.environment(), action);
        } catch (UsageException | SandboxConfigException refused) {
            throw new AcpRefusedException(Reason.INVALID, Console.text(refused));
        } catch (ExecutorException | AuditException failed) {
            console.detail(failed);
            throw new AcpRefusedException(Reason.FAILED, Console.text(failed));
        }
    }

    private AcpSession opened(AcpOpening opening) {
        InvocationContext here = new InvocationContext(
                caller.environment(), opening.cwd(), caller.launcher(), caller.streams(), caller.process());
        ExecutionOptions options = ExecutionOptions.read(arguments, here, console);
        Path worktree = options.policy().worktree().hostPath();
        Optional<StoredSession> resumed = opening.stored().map(id -> stored(id, worktree));
        AgentConfig config = AgentConfig.read(arguments, here);
        ModelChoice model = ModelChoice.read(
                arguments, caller, config.models(), resumed.map(SessionNote::of).flatMap(SessionNote::model));
        model.keepKeyFrom(options.policy().environment().variables(), caller);
        SessionScope scope = SessionScope.of(options.policy());
        AgentSessionBuilder builder = SessionExtras.add(opening.prepare(AgentSession.builder()), arguments, caller)
                .model(model.model())
                .systemPrompt(ProjectInstructions.read(scope, console));
        boolean isOnHost = options.executor().equals(SandboxFlags.HOST);
        McpServers.add(
                McpServers.permitted(config.servers(), arguments, /* isAsked= */ true, isOnHost, console),
                builder,
                caller);
        Set<String> taken =
                config.servers().stream().map(McpServer::name).collect(Collectors.toCollection(HashSet::new));
        opening.servers().forEach(server -> builder.toolSource(source(server, free(server.name(), taken))));
        resumed.ifPresent(session -> builder.resume(session.directory()));
        SessionNote note =
                new SessionNote(Optional.of(worktree.toString()), Optional.empty(), Optional.empty(), List.of());
        CommandLineAudit trail = CommandLineAudit.open(options.auditing(), "acp", caller, console);
        try {
            return new EditedSession(
                    build(options, builder, opening, trail),
                    scope,
                    model,
                    note,
                    name -> refusing(() -> chosen(model, name)),
                    trail,
                    console);
        } catch (RuntimeException fault) {
            trail.close();
            throw fault;
        }
    }

    private static String chosen(ModelChoice model, String name) {
        model.choose(name);
        return name;
    }

    private AgentSession build(
            ExecutionOptions options, AgentSessionBuilder builder, AcpOpening opening, CommandLineAudit trail) {
        LateObservers observers = new LateObservers();
        observers.approveHosts(opening.hosts());
        CommandExecutor executor = trail.open(options, observers, console);
        try {
            return ExecutionOptions.build(options.place(builder, executor));
        } catch (RuntimeException fault) {
            executor.dispose();
            throw fault;
        }
    }

    /** Returns an unused name that is valid for tools; the editor's may contain other characters. */
    private static String free(String name, Set<String> taken) {
        String plain = name.replaceAll("[^A-Za-z0-9-]", "-");
        String free = plain.substring(0, Math.min(MAX_SERVER_NAME, plain.length()));
        for (int number = 2; !taken.add(free); number++) {
            String end = "-" + number;
            free = plain.substring(0, Math.min(MAX_SERVER_NAME - end.length(), plain.length())) + end;
        }
        return free;
    }

    /**
     * Returns an MCP server that the editor requests. It runs in the sandbox, since Paddock's user has not asked for
     * it.
     */
    private static McpToolSource source(AcpOpening.Server server, String name) {
        try {
            McpToolSource.Stdio source = McpToolSource.stdio(name, ShellQuoting.posix(server.command()))
                    .inSandbox(true)
                    .required(false);
            server.environment().forEach(source::env);
            return source.build();
        } catch (IllegalArgumentException | ExecutorException refused) {
            throw new UsageException("the MCP server '" + server.name() + "': " + Console.text(refused));
        }
    }

    private static StoredSession stored(String id, Path worktree) {
        StoredSession session = SessionList.all().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AcpRefusedException(
                        Reason.NOT_FOUND, "there is no session '" + id + "'; 'paddock sessions list' shows them"));
        SessionNote note = SessionNote.of(session);
        if (note.workspace().isPresent()) {
            throw new UsageException(
                    "the session " + id + " works in a workspace: 'paddock agent --resume " + id + "' goes on with it");
        }
        if (note.worktree().filter(worktree.toString()::equals).isEmpty()) {
            throw new UsageException("the session " + id + " worked in '"
                    + note.worktree().orElse("a directory that is not known") + "', and this is '" + worktree + "'");
        }
        return session;
    }

    @Override
    public List<AcpListing> stored(Optional<Path> cwd, List<String> open) {
        Optional<Path> worktree = cwd.map(EditorSite::real);
        return refusing(() -> SessionList.all().stream()
                .filter(session -> !open.contains(session.id()))
                .flatMap(EditorSite::listing)
                .filter(one -> worktree.isEmpty() || worktree.get().equals(one.cwd()))
                .toList());
    }

    /** Returns a directory without links, as sessions store it. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException removed) {
            return directory;
        }
    }

    private static Stream<AcpListing> listing(StoredSession session) {
        SessionNote note = SessionNote.of(session);
        return note.worktree().filter(path -> note.workspace().isEmpty()).stream()
                .map(path -> new AcpListing(
                        session.id(), Path.of(path), SessionList.title(session, TITLE_COLUMNS), session.lastUsed()));
    }
}
