package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.loop.AbortPatience;
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
import dev.paddock.harness.tools.hint.SandboxFacts;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.shell.BackgroundShells;
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
import java.util.concurrent.atomic.AtomicReference;

/** Creates the parts of a session in order. If a part fails, closes the parts that are already open. */
final class SessionAssembly {
    private final SessionOptions options;
    private final AbortPatience patience;
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final AtomicBoolean sharesDirectory = new AtomicBoolean();
    /** The executor named in audit records; a placeholder until the session is assembled. */
    private final AtomicReference<CommandExecutor> executing = new AtomicReference<>((command, started) -> {
        throw new IllegalStateException("the session is not assembled");
    });

    SessionAssembly(SessionOptions options, AbortPatience patience) {
        this.options = options;
        this.patience = patience;
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
        SessionThreads threads = new SessionThreads(options.contextCarrier());
        opened.push(threads::close);
        SessionDirectory directory = directory();
        EventHub events =
                new EventHub(String.valueOf(directory.path().getFileName()), threads.workers(), patience.listeners());
        options.listeners().forEach(events::subscribe);
        MessageStore store = MessageStore.open(directory.messages());
        opened.push(store::close);
        Duration abortPatience = options.limits().killGrace().plus(patience.tool());
        LogDirectory logs = new LogDirectory(directory.logs(), options.maxLogBytes());
        AuditTrail audits = new AuditTrail(
                () -> executing.get().name(), audit -> events.post(new SessionEvent.CommandEnded(audit)));
        SessionTools.Base base = new SessionTools.Base(options, threads, logs, audits, sharesDirectory::get);
        SessionSite site = site(directory, base, events);
        CommandExecutor executor = site.executor();
        executing.set(executor);
        ToolSet tools = ToolSet.of(options.tools(), defaults(site));
        List<OpenedToolSource> sources = openSources(site);
        sources.forEach(tools::addAll);
        tools.remove(options.tools().disallowed());
        sharesDirectory.set(tools.has(ExecutionSite.WORKTREE) && tools.has(ExecutionSite.SANDBOX));
        Conversation conversation = new Conversation(store, events);
        ToolRunner runs = new ToolRunner(
                tools,
                threads.workers(),
                events,
                abortPatience,
                approvals(site, audits, threads),
                options.model().takesImages(),
                site::takeEnded);
        AgentLoop loop = new AgentLoop(
                options.model(),
                prompt(site, tools, sources),
                tools,
                runs,
                conversation,
                events,
                threads.workers(),
                executor,
                site::takeEnded,
                options.maxTurns(),
                patience.model());
        return new SessionParts(
                site,
                directory,
                options.sessionDirectory().isEmpty(),
                threads,
                events,
                store,
                audits,
                conversation,
                tools,
                sources,
                runs,
                options.approver(),
                loop,
                abortPatience,
                BackgroundShells.patience(options.maxBackgroundShells()),
                options.disposalPatience(),
                options.listenerPatience());
    }

    private SessionDirectory directory() {
        List<Path> writable = options.policy().map(SessionAssembly::writable).orElse(List.of());
        if (options.sessionDirectory().isEmpty()) {
            SessionDirectory fresh = SessionDirectory.fresh(UserState.directory(), writable);
            opened.push(fresh::removeIfUnused);
            return fresh;
        }
        SessionDirectory given =
                new SessionDirectory(options.sessionDirectory().get().toAbsolutePath());
        given.requireBeyond(writable);
        given.requireOwn();
        if (options.resume() && !given.hasSession()) {
            throw new IllegalArgumentException("there is no session to resume in " + given.path());
        }
        if (!options.resume() && given.hasSession()) {
            throw new IllegalArgumentException("there is a session in " + given.path()
                    + " already; resume it, or give this one a directory of its own");
        }
        return SessionDirectory.at(given.path());
    }

    private static List<Path> writable(SandboxPolicy policy) {
        List<Path> writable = new ArrayList<>(List.of(policy.worktree().hostPath()));
        policy.mounts().stream()
                .filter(mount -> mount.access() == Mount.Access.READ_WRITE)
                .forEach(mount -> writable.add(mount.source()));
        return writable;
    }

    /**
     * Returns where the tools work. A session that was in a workspace must not continue elsewhere: the model would
     * search for its files in vain.
     */
    private SessionSite site(SessionDirectory directory, SessionTools.Base base, EventHub events) {
        FileRoot logs = logs(directory.logs().normalize());
        if (options.workspace().isPresent()) {
            WorkspaceSite site = new WorkspaceSite(options.workspace().get(), directory, base, logs, events);
            opened.push(site::closeFiles);
            opened.push(site::close);
            return site;
        }
        if (directory.workspace().isPresent()) {
            throw new IllegalArgumentException("the session in " + directory.path()
                    + " worked in a workspace; call workspace(…), which finds that by its reference");
        }
        CommandExecutor executor = executor();
        WorkspaceFiles files = files(logs, executor);
        SandboxPolicy policy = options.directoryPolicy();
        SandboxFacts facts = new SandboxFacts(
                policy,
                executor.guarantees(),
                UserState.environment().getOrDefault("PATH", ""),
                SandboxFacts.seesHostPaths(executor.name()));
        SessionTools own = base.tools(policy.worktree(), executor, files, Optional.of(facts));
        return new DirectorySite(options.directoryPolicy(), executor, files, own);
    }

    private CommandExecutor executor() {
        return options.executor().orElseGet(() -> {
            CommandExecutor found = ExecutorProviders.auto(options.directoryPolicy(), options.executorSettings());
            opened.push(found::dispose);
            return found;
        });
    }

    /**
     * Opens the worktree, the mounts that commands see, and the log directory, whose paths notices name to the model.
     */
    private WorkspaceFiles files(FileRoot logs, CommandExecutor executor) {
        SandboxPolicy policy = options.directoryPolicy();
        List<FileRoot> roots = new ArrayList<>(List.of(FileRoot.ofWorktree(policy)));
        policy.mounts().forEach(mount -> roots.add(FileRoot.of(mount)));
        roots.add(logs);
        AccessRules rules = AccessRules.keeping(policy.protectedPaths()).alsoKeeping(executor::isKept);
        WorkspaceFiles files = WorkspaceFiles.open(roots, rules);
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

    private String prompt(SessionSite site, ToolSet tools, List<OpenedToolSource> sources) {
        List<String> additions = new ArrayList<>(
                sources.stream().map(source -> source.prompt(tools)).toList());
        additions.add(options.systemPrompt());
        String granted = options.policy()
                .map(policy -> SystemPrompt.granted(policy.mounts()))
                .orElse("");
        return SystemPrompt.of(site.describe(tools.all()) + granted, additions);
    }

    private List<OpenedToolSource> openSources(SessionSite site) {
        List<OpenedToolSource> sources = new ArrayList<>();
        for (ToolSource source : options.tools().sourcesToOpen()) {
            OpenedToolSource one = OpenedToolSource.of(source, new ToolSource.Place(site.open(), site.executor()));
            opened.push(one::close);
            sources.add(one);
        }
        return List.copyOf(sources);
    }

    private Optional<ApprovalGate> approvals(SessionSite site, AuditTrail audits, SessionThreads threads) {
        Tool bash = site.tools().getFirst();
        ApprovalGate.Commands commands = new ApprovalGate.Commands(bash, options.allowedCommands(), audits);
        return options.approver()
                .map(one -> new ApprovalGate(one, threads.workers(), site::confinesCommands, commands));
    }

    private List<Tool> defaults(SessionSite site) {
        List<Tool> all = new ArrayList<>(site.tools());
        all.addAll(options.tools().web());
        return all;
    }
}
