package dev.paddock.harness.tools.shell;

import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.DeniedException;
import dev.paddock.harness.tools.output.Captured;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.output.ShellOutput;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Manages a session's background shells: the running ones, up to a limit, and the ended ones. Shells outlive the call,
 * the turn and the run that started them; {@code kill_shell} and {@link #endAll} terminate them.
 */
public final class BackgroundShells implements Background {
    private static final Logger LOG = LateLogger.of(BackgroundShells.class);

    /** The most ended shells that one message reports; the next one reports the others. */
    static final int MAX_NOTICES = 5;

    private final CommandRunner runner;
    private final LogDirectory logs;
    private final int mostLive;
    private final Executor workers;
    private final ShellBounds bounds;
    private final int maxOutput;
    private final List<PublishedPort> ports;
    private final Map<String, BackgroundShell> shells = new LinkedHashMap<>();
    private boolean closed;

    /**
     * Creates a set without shells.
     *
     * @param runner starts their commands
     * @param logs where their output goes
     * @param mostLive how many may run at once
     * @param maxOutput how many characters of output a result has
     * @param workers reads their output, each on a platform daemon thread
     */
    public BackgroundShells(CommandRunner runner, LogDirectory logs, int mostLive, int maxOutput, Executor workers) {
        this(runner, logs, mostLive, maxOutput, List.of(), workers);
    }

    /**
     * Creates a set without shells.
     *
     * @param runner starts their commands
     * @param logs where their output goes
     * @param mostLive how many may run at once
     * @param maxOutput how many characters of output a result has
     * @param ports the host ports for ports that commands publish; others get free host ports
     * @param workers reads their output, each on a platform daemon thread
     */
    public BackgroundShells(
            CommandRunner runner,
            LogDirectory logs,
            int mostLive,
            int maxOutput,
            List<PublishedPort> ports,
            Executor workers) {
        this(runner, logs, mostLive, workers, ShellBounds.STANDARD, maxOutput, ports);
    }

    BackgroundShells(CommandRunner runner, LogDirectory logs, int mostLive, Executor workers, ShellBounds bounds) {
        this(runner, logs, mostLive, workers, bounds, Captured.MAX_OUTPUT, List.of());
    }

    private BackgroundShells(
            CommandRunner runner,
            LogDirectory logs,
            int mostLive,
            Executor workers,
            ShellBounds bounds,
            int maxOutput,
            List<PublishedPort> ports) {
        this.ports = List.copyOf(ports);
        this.maxOutput = maxOutput;
        this.runner = runner;
        this.logs = logs;
        this.mostLive = mostLive;
        this.workers = workers;
        this.bounds = bounds;
    }

    /** Returns how many characters of output a result has. */
    int maxOutput() {
        return maxOutput;
    }

    ShellBounds bounds() {
        return bounds;
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public ToolResult start(
            String command,
            String in,
            ShellInput input,
            Optional<PublishedPort> port,
            ToolContext context,
            AuditTrail.Entry audit) {
        if (context.signal().isAborted()) {
            audit.ended(Outcome.ABORTED);
            return ToolResult.error("Command aborted before it was started. It was not run.");
        }
        BackgroundShell shell = admit(audit);
        try {
            shell.start(command, in, input, port.map(this::placed), runner, workers);
        } catch (ExecutorDisposedException disposed) {
            throw disposed; // no later command can run either
        } catch (ExecutorException fault) {
            return ToolResult.error(shell.statusLine()).withDetails(Json.of(shell.details()));
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put(ShellId.NAME, shell.id());
        shell.pid().ifPresent(pid -> details.put("pid", pid));
        ShellPort.describe(shell.published(), details);
        String process = shell.pid().isPresent() ? " (pid " + shell.pid().getAsLong() + ")" : "";
        return ToolResult.ok("Started in the background as " + shell.id() + process
                        + ". bash_output with shell_id \"" + shell.id() + "\" gives what it has written since the last"
                        + " call, kill_shell with shell_id \"" + shell.id()
                        + "\" ends it" + (input.pipe() ? ", write_stdin writes to its input" : "")
                        + ". It runs until it ends by itself,"
                        + " is killed, or the session ends." + ShellPort.sentence(shell.published()))
                .withDetails(Json.of(details));
    }

    /** Returns the port at the host port that the user has chosen for it, if any. */
    private PublishedPort placed(PublishedPort asked) {
        return ports.stream()
                .filter(chosen -> chosen.port() == asked.port())
                .findFirst()
                .orElse(asked);
    }

    /**
     * Reports the shells that have ended since the last call, except those that another result reported.
     *
     * @return notices for the model, at most {@value #MAX_NOTICES}
     */
    public synchronized List<String> takeEnded() {
        return shells.values().stream()
                .filter(BackgroundShell::isEndUnreported)
                .limit(MAX_NOTICES)
                .map(BackgroundShell::reportEnd)
                .toList();
    }

    /**
     * Reserves an entry for a new shell before the executor receives the command, so that concurrent calls cannot
     * exceed the limit.
     */
    private synchronized BackgroundShell admit(AuditTrail.Entry audit) {
        if (closed) {
            throw new DeniedException("The session is being closed: the command was not run.");
        }
        List<String> live = shells.values().stream()
                .filter(BackgroundShell::isLive)
                .map(BackgroundShell::id)
                .toList();
        if (live.size() >= mostLive) {
            throw new DeniedException(
                    (live.size() == 1 ? "1 background shell is" : live.size() + " background shells are")
                            + " running, as many as this session allows: " + String.join(", ", live)
                            + ". The command was not run. End one with kill_shell, or wait until one has ended.");
        }
        String id = "bash_" + (shells.size() + 1);
        audit.shell(id);
        BackgroundShell shell = new BackgroundShell(id, new ShellOutput(logs, id), audit, bounds);
        shells.put(id, shell);
        return shell;
    }

    /**
     * Returns the shell with an id.
     *
     * @throws ToolException if there is none; the message names the existing ones
     */
    synchronized BackgroundShell named(String id) {
        BackgroundShell shell = shells.get(id);
        if (shell == null) {
            throw new ToolException("There is no background shell '" + id + "'. "
                    + (shells.isEmpty()
                            ? "This session has not started any"
                            : "This session's are "
                                    + shells.values().stream()
                                            .map(one -> one.id() + " (" + one.status() + ")")
                                            .collect(Collectors.joining(", ")))
                    + "; shells do not outlive the session that started them.");
        }
        return shell;
    }

    /**
     * Terminates all shells and waits for their end, somewhat longer than their grace at most. Leaves the remaining
     * ones to the executor's disposal. No shell can be started afterwards.
     */
    public void endAll() {
        List<BackgroundShell> all = close();
        List<BackgroundShell> live =
                all.stream().filter(BackgroundShell::isLive).toList();
        live.forEach(shell -> workers.execute(() -> shell.end("the session is being closed")));
        CompletableFuture<?>[] ends = live.stream().map(BackgroundShell::over).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(bounds.killPatience(live.size()).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.log(
                    Level.WARNING,
                    "Background shells have not been seen to end, and are left to the executor: "
                            + live.stream()
                                    .filter(BackgroundShell::isLive)
                                    .map(BackgroundShell::id)
                                    .toList());
        } catch (InterruptedException given) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            all.forEach(BackgroundShell::closeLog);
        }
    }

    /**
     * Returns the longest time that {@link #endAll} takes.
     *
     * @param mostLive how many shells may run at once
     * @return the grace, the time to drain the output, a margin of 2 seconds, and a tenth of a second for each shell
     */
    public static Duration patience(int mostLive) {
        return ShellBounds.STANDARD.killPatience(mostLive);
    }

    private synchronized List<BackgroundShell> close() {
        closed = true;
        return List.copyOf(shells.values());
    }
}
