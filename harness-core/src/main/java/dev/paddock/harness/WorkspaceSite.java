package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.loop.EventHub;
import dev.paddock.harness.loop.WorkspaceUnusableException;
import dev.paddock.harness.store.SessionDirectory;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.WorkspaceSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A workspace, opened or reopened by the first tool call. Until then, and after a suspension, the model is offered
 * tools of the same names, which open it. Thread-safe.
 */
final class WorkspaceSite implements SessionSite {
    private static final String DIRECTORY = "the workspace's directory";

    private final WorkspaceSource source;
    private final SessionDirectory directory;
    private final SessionTools.Base base;
    private final FileRoot logs;
    private final EventHub events;
    private final WorkspaceExecutor executor = new WorkspaceExecutor(this);
    private final WorkspaceFiles noFiles;
    private final List<Tool> offered;
    private volatile Optional<Live> live = Optional.empty();
    private boolean closed;

    private record Live(WorkspaceSource.Opened workspace, WorkspaceFiles files, SessionTools tools) {}

    WorkspaceSite(
            WorkspaceSource source,
            SessionDirectory directory,
            SessionTools.Base base,
            FileRoot logs,
            EventHub events) {
        this.source = source;
        this.directory = directory;
        this.base = base;
        this.logs = logs;
        this.events = events;
        noFiles = WorkspaceFiles.open(List.of(logs), AccessRules.keeping(ProtectedPaths.standard()));
        offered = base
                .tools(
                        PathMapping.same(directory.path()),
                        DIRECTORY,
                        new SessionTools.Commands(executor, executor),
                        noFiles,
                        Optional.empty())
                .all()
                .stream()
                .<Tool>map(tool -> new OpeningTool(tool, this))
                .toList();
    }

    /** Returns the tool of an open workspace; empty if it is not open. */
    Optional<Tool> opened(String name) {
        return live.map(now -> named(now, name));
    }

    /** Returns a tool; opens the workspace if it is not open. */
    Tool tool(String name) {
        return named(begin(), name);
    }

    private static Tool named(Live now, String name) {
        return now.tools().all().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Optional<CommandExecutor> openedExecutor() {
        return live.map(now -> now.workspace().executor());
    }

    /** Returns the workspace's executor; opens the workspace if it is not open. */
    CommandExecutor openExecutor() {
        return begin().workspace().executor();
    }

    private synchronized Live begin() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        Live now = live.orElseGet(this::start);
        live = Optional.of(now);
        return now;
    }

    private Live start() {
        Optional<String> kept = directory.workspace();
        WorkspaceSource.Opened opened = open(kept);
        try {
            directory.requireBeyond(List.of(opened.worktree().hostPath()));
            if (kept.isEmpty()) {
                directory.keepWorkspace(opened.reference());
            }
            WorkspaceFiles files = files(opened);
            SessionTools tools = base.tools(
                    opened.worktree(),
                    opened.worktree().commandPath(),
                    new SessionTools.Commands(opened.executor(), opened.probing()),
                    files,
                    Optional.empty());
            Live now = new Live(opened, files, tools);
            events.post(new SessionEvent.WorkspaceOpened(
                    opened.worktree(),
                    opened.executor().name(),
                    opened.executor().guarantees()));
            return now;
        } catch (RuntimeException | Error fault) {
            try {
                opened.suspend();
            } catch (RuntimeException another) {
                fault.addSuppressed(another);
            }
            throw fault;
        }
    }

    private WorkspaceSource.Opened open(Optional<String> kept) {
        try {
            return kept.isPresent() ? source.resolve(kept.get()) : source.open();
        } catch (RuntimeException failure) {
            throw new WorkspaceUnusableException(failure);
        }
    }

    private WorkspaceFiles files(WorkspaceSource.Opened opened) {
        List<FileRoot> roots = new ArrayList<>(List.of(FileRoot.of(opened.worktree())));
        for (Mount mount : opened.mounts()) {
            roots.add(FileRoot.of(mount));
        }
        roots.add(logs);
        AccessRules rules = AccessRules.keeping(ProtectedPaths.standard());
        return WorkspaceFiles.open(roots, rules.alsoKeeping(opened.executor()::isKept));
    }

    /** Ends the background shells, the commands and the sandbox; the next tool call reopens the workspace. */
    synchronized void suspend() {
        Optional<Live> now = live;
        live = Optional.empty();
        now.ifPresent(one -> {
            try {
                one.tools().endShells();
            } finally {
                try {
                    one.files().close();
                } finally {
                    one.workspace().suspend();
                }
            }
        });
    }

    /** Suspends the workspace; no tool opens it afterwards. */
    synchronized void close() {
        closed = true;
        suspend();
    }

    /** Returns the reference; empty if no workspace was opened for this session. */
    Optional<String> reference() {
        return directory.workspace();
    }

    @Override
    public CommandExecutor executor() {
        return executor;
    }

    @Override
    public List<Tool> tools() {
        return offered;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return live.map(now -> now.workspace().worktree());
    }

    @Override
    public PathMapping open() {
        try {
            return begin().workspace().worktree();
        } catch (WorkspaceUnusableException unusable) {
            throw unusable.failure();
        }
    }

    @Override
    public String describe(List<Tool> tools) {
        return SystemPrompt.WORKSPACE;
    }

    @Override
    public boolean confinesCommands() {
        return openExecutor().guarantees().contains(Guarantee.WRITE_CONFINED);
    }

    @Override
    public List<String> takeEnded() {
        return live.map(now -> now.tools().takeEnded()).orElse(List.of());
    }

    @Override
    public void endShells() {
        live.ifPresent(now -> now.tools().endShells());
    }

    @Override
    public void closeFiles() {
        noFiles.close();
    }

    @Override
    public Optional<WorkspaceSite> workspace() {
        return Optional.of(this);
    }
}
