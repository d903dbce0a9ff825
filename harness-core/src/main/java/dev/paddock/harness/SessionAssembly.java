package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.loop.AgentLoop;
import dev.paddock.harness.loop.ApprovalGate;
import dev.paddock.harness.loop.Conversation;
import dev.paddock.harness.loop.EventHub;
import dev.paddock.harness.loop.OpenedToolSource;
import dev.paddock.harness.loop.ToolRunner;
import dev.paddock.harness.loop.ToolSet;
import dev.paddock.harness.store.MessageStore;
import dev.paddock.harness.store.SessionDirectory;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandGate;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.DirectoryProbe;
import dev.paddock.harness.tools.files.FileTools;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.shell.Background;
import dev.paddock.harness.tools.shell.BackgroundShells;
import dev.paddock.harness.tools.shell.BashOutputTool;
import dev.paddock.harness.tools.shell.BashTool;
import dev.paddock.harness.tools.shell.KillShellTool;
import dev.paddock.harness.tools.shell.WriteStdinTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Creates the parts of a session in order. If a later part fails, closes the parts that are already
 * open.
 */
final class SessionAssembly {
    /** How much longer than the kill grace a tool may take to return after an abort. */
    private static final Duration TOOL_MARGIN = Duration.ofSeconds(3);

    private final SessionOptions options;
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final AtomicBoolean sharesDirectory = new AtomicBoolean();

    SessionAssembly(SessionOptions options) {
        this.options = options;
    }

    AgentSession assemble() {
        try {
            AgentSession session = new AgentSession(parts());
            session.start();
            return session;
        } catch (RuntimeException | Error fault) {
            undo(fault);
            throw fault;
        }
    }

    private void undo(Throwable fault) {
        while (!opened.isEmpty()) {
            try {
                opened.pop().run();
            } catch (RuntimeException | Error another) {
                fault.addSuppressed(another);
            }
        }
    }

    private SessionParts parts() {
        SessionThreads threads = new SessionThreads();
        opened.push(threads::close);
        EventHub events = new EventHub(threads.workers());
        options.listeners().forEach(events::subscribe);
        SessionDirectory directory = directory();
        MessageStore store = MessageStore.open(directory.messages());
        opened.push(store::close);
        CommandExecutor executor = executor();
        Duration abortPatience = options.limits().killGrace().plus(TOOL_MARGIN);
        WorkspaceFiles files = files(directory);
        AuditTrail audits = new AuditTrail(executor.name(), audit -> events.post(new SessionEvent.CommandEnded(audit)));
        LogDirectory logs = new LogDirectory(directory.logs(), options.maxLogBytes());
        CommandRunner runner = runner(executor, logs, threads);
        Optional<BackgroundShells> shells = shells(runner, logs, threads);
        Tool bash = bash(runner, shells.<Background>map(some -> some).orElse(Background.OFF), audits);
        ToolSet tools = ToolSet.of(options.tools(), defaults(bash, shells, files));
        List<OpenedToolSource> sources = openSources(executor);
        sources.forEach(tools::addAll);
        tools.remove(options.tools().disallowed());
        sharesDirectory.set(tools.has(ExecutionSite.WORKTREE) && tools.has(ExecutionSite.SANDBOX));
        Conversation conversation = new Conversation(store, events);
        ToolRunner runs = new ToolRunner(
                tools, threads.workers(), events, abortPatience, approvals(bash, executor, audits, threads));
        AgentLoop loop = new AgentLoop(
                options.model(),
                prompt(tools, sources),
                tools,
                runs,
                conversation,
                events,
                threads.workers(),
                executor,
                options.maxTurns());
        return new SessionParts(
                options.worktree(),
                directory,
                options.sessionDirectory().isEmpty(),
                executor,
                threads,
                events,
                store,
                files,
                audits,
                shells,
                conversation,
                tools,
                sources,
                runs,
                options.approver(),
                loop,
                abortPatience,
                options.disposalPatience(),
                options.listenerPatience());
    }

    private SessionDirectory directory() {
        if (options.sessionDirectory().isEmpty()) {
            SessionDirectory fresh = SessionDirectory.fresh(UserState.directory());
            opened.push(fresh::removeIfUnused);
            return fresh;
        }
        SessionDirectory given =
                new SessionDirectory(options.sessionDirectory().get().toAbsolutePath());
        if (options.resume() && !given.hasSession()) {
            throw new IllegalArgumentException("there is no session to resume in " + given.path());
        }
        if (!options.resume() && given.hasSession()) {
            throw new IllegalArgumentException("there is a session in " + given.path()
                    + " already; resume it, or give this one a directory of its own");
        }
        return SessionDirectory.at(given.path());
    }

    private CommandExecutor executor() {
        return options.executor().orElseGet(() -> {
            CommandExecutor found = ExecutorProviders.auto(options.policy(), options.executorSettings());
            opened.push(found::dispose);
            return found;
        });
    }

    /**
     * Opens the worktree, the mounts that commands see, and the log directory beside them, so that
     * file tools can open the log paths that notices name.
     */
    private WorkspaceFiles files(SessionDirectory directory) {
        List<FileRoot> roots = new ArrayList<>(List.of(FileRoot.of(options.worktree())));
        options.policy().mounts().forEach(mount -> roots.add(FileRoot.of(mount)));
        roots.add(logs(directory.logs().normalize()));
        WorkspaceFiles files =
                WorkspaceFiles.open(roots, AccessRules.keeping(options.policy().protectedPaths()));
        opened.push(files::close);
        return files;
    }

    private static FileRoot logs(Path directory) {
        try {
            return new FileRoot(directory.toString(), directory.toRealPath(), Mount.Access.READ_ONLY);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the directory of the session's logs", e);
        }
    }

    private String prompt(ToolSet tools, List<OpenedToolSource> sources) {
        List<String> additions = new ArrayList<>(
                sources.stream().map(source -> source.prompt(tools)).toList());
        additions.add(options.systemPrompt());
        return SystemPrompt.of(options.worktree(), options.policy().mounts(), tools.all(), additions);
    }

    private List<OpenedToolSource> openSources(CommandExecutor executor) {
        List<OpenedToolSource> sources = new ArrayList<>();
        for (ToolSource source : options.tools().sourcesToOpen()) {
            OpenedToolSource one = OpenedToolSource.of(source, new ToolSource.Place(options.worktree(), executor));
            opened.push(one::close);
            sources.add(one);
        }
        return List.copyOf(sources);
    }

    private CommandRunner runner(CommandExecutor executor, LogDirectory logs, SessionThreads threads) {
        return new CommandRunner(
                executor,
                options.worktree().commandPath(),
                options.environment(),
                options.limits().killGrace(),
                logs,
                threads.clock());
    }

    private Optional<BackgroundShells> shells(CommandRunner runner, LogDirectory logs, SessionThreads threads) {
        int most = options.maxBackgroundShells();
        return most == 0 ? Optional.empty() : Optional.of(new BackgroundShells(runner, logs, most, threads.workers()));
    }

    private Optional<ApprovalGate> approvals(
            Tool bash, CommandExecutor executor, AuditTrail audits, SessionThreads threads) {
        boolean confines = executor.guarantees().contains(Guarantee.WRITE_CONFINED);
        ApprovalGate.Commands commands = new ApprovalGate.Commands(bash, options.allowedCommands(), audits);
        return options.approver().map(one -> new ApprovalGate(one, threads.workers(), confines, commands));
    }

    private List<Tool> defaults(Tool bash, Optional<BackgroundShells> shells, WorkspaceFiles files) {
        List<Tool> all = new ArrayList<>();
        all.add(bash);
        shells.ifPresent(some ->
                all.addAll(List.of(new BashOutputTool(some), new WriteStdinTool(some), new KillShellTool(some))));
        all.addAll(FileTools.all(files));
        all.addAll(options.tools().web());
        return all;
    }

    private Tool bash(CommandRunner runner, Background background, AuditTrail audits) {
        DirectoryProbe probe = new DirectoryProbe(options.worktree(), runner, sharesDirectory::get);
        // The allow list comes first: a command that it refuses must not even cause the directory
        // probe to run.
        CommandGate gate = options.allowedCommands()
                .<CommandGate>map(list -> list.then(probe))
                .orElse(probe);
        return new BashTool(runner, gate, options.limits(), background, audits);
    }
}
