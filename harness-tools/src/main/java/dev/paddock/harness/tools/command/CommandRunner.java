package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.ReportingCommand;
import dev.paddock.executor.run.Capture;
import dev.paddock.executor.run.OutputSource;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.output.OutputCapture;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Runs commands through the session's executor: supplies directory, environment and abort signal, and captures the
 * output as the model sees it. {@link CommandExecutor#run} applies the time limits; the executor terminates the process
 * tree.
 */
public final class CommandRunner {
    private static final Logger LOG = LateLogger.of(CommandRunner.class);

    /** The session captures the output itself. */
    private static final Capture NOTHING = Capture.headAndTail(0);

    /** The longest wait for a cleanup that fetches no files; the next result contains a later report. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final CommandExecutor executor;
    private final String directory;
    private final Map<String, String> variables;
    private final Duration killGrace;
    private final LogDirectory logs;
    private final ScheduledExecutorService clock;
    private final CommandShell shell;
    private final Optional<KeptDirectory> kept;
    private final Queue<CleanupReport> late = new ConcurrentLinkedQueue<>();
    private final FilesUnderWay underWay = new FilesUnderWay();

    /**
     * Creates a runner.
     *
     * @param executor where commands run
     * @param directory the directory that they run in, as a command path
     * @param environment variables in addition to those that keep programs from prompting
     * @param killGrace the time between SIGTERM and SIGKILL for a process tree
     * @param logs where the logs of long outputs are written
     * @param clock schedules updates; its tasks are short
     */
    public CommandRunner(
            CommandExecutor executor,
            String directory,
            Map<String, String> environment,
            Duration killGrace,
            LogDirectory logs,
            ScheduledExecutorService clock) {
        this(executor, directory, environment, killGrace, logs, clock, CommandStart.STANDARD);
    }

    /**
     * Creates a runner.
     *
     * @param executor where commands run
     * @param directory the directory that they run in, as a command path
     * @param environment variables in addition to those that keep programs from prompting
     * @param killGrace the time between SIGTERM and SIGKILL for a process tree
     * @param logs where the logs of long outputs are written
     * @param clock schedules updates; its tasks are short
     * @param start how the model's commands start
     */
    public CommandRunner(
            CommandExecutor executor,
            String directory,
            Map<String, String> environment,
            Duration killGrace,
            LogDirectory logs,
            ScheduledExecutorService clock,
            CommandStart start) {
        this.shell = start.shell();
        this.kept = start.kept();
        this.executor = executor;
        this.directory = directory;
        Map<String, String> all = new HashMap<>(NonInteractiveEnvironment.VARIABLES);
        all.putAll(environment);
        this.variables = Map.copyOf(all);
        this.killGrace = killGrace;
        this.logs = logs;
        this.clock = clock;
    }

    /** {@return the command path of the directory in which commands run} */
    public String directory() {
        return directory;
    }

    /** Returns the name of the shell that runs the model's commands, for the model. */
    public String shellName() {
        Set<CommandShell> there = executor.shells();
        boolean isBash = shell == CommandShell.BASH
                || (shell == CommandShell.BASH_IF_PRESENT && there.contains(CommandShell.BASH));
        if (isBash) {
            return "bash";
        }
        return there.contains(shell) && shell != CommandShell.OWN
                ? "bash, or a POSIX sh if the sandbox has no bash"
                : "a POSIX sh";
    }

    /** Returns whether a command starts in the directory in which the previous one ended. */
    public boolean keepsDirectory() {
        return kept.isPresent();
    }

    /**
     * Returns a directory that a command asks for.
     *
     * @param wanted a command path, absolute or relative to {@link #directory()}; empty for that one, or for the kept
     *     directory
     * @return the command path, absolute
     */
    public String directory(String wanted) {
        if (wanted.isEmpty()) {
            return kept.map(KeptDirectory::next).orElse(directory);
        }
        return wanted.startsWith("/") ? wanted : directory + (directory.endsWith("/") ? "" : "/") + wanted;
    }

    /** Returns the exited commands whose changes have not reached the worktree; file tools wait for them. */
    public FilesUnderWay filesUnderWay() {
        return underWay;
    }

    /** {@return the guarantees that the executor enforces} */
    public Set<Guarantee> guarantees() {
        return executor.guarantees();
    }

    /**
     * Runs a command and waits for its end.
     *
     * @param in the directory that it starts in, as a command path
     * @param maxOutput how many characters of the output are shown
     * @param updates receives the output so far, now and then, on the clock's thread; an update in progress when this
     *     method returns may arrive late, and the receiver must drop it
     * @throws ExecutorException if the command could not be started; nothing has run
     * @throws InterruptedException if the thread was interrupted; termination of the command has been requested
     */
    public CapturedRun run(
            String command, String in, Duration timeout, int maxOutput, AbortSignal wanted, Consumer<String> updates)
            throws InterruptedException {
        requireShell();
        OutputCapture output = new OutputCapture(logs, maxOutput);
        long started = System.nanoTime();
        try (Ticker ticker = new Ticker(clock, () -> updates.accept(output.soFar()))) {
            SinkStream sink = new SinkStream(output, ticker::touch);
            RunOptions options =
                    options(in, timeout, wanted).shell(shell).capture(NOTHING).toStream(sink);
            DirectoryReport report = new DirectoryReport(sink);
            boolean reports = kept.isPresent() && ReportingCommand.isWanted(command);
            CommandResult result = reports
                    ? executor.run(ReportingCommand.of(command), reporting(options, report))
                    : executor.run(command, options);
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            output.seal();
            result.callbackErrors()
                    .forEach(fault -> LOG.log(Level.WARNING, "A part of a command's output was lost", fault));
            if (result.cleanup().isEmpty()) {
                var unused = result.closed().thenAccept(late::add);
            }
            Optional<CleanupReport> cleanup = cleanup(result);
            CommandOutcome outcome = outcome(result, wanted);
            Optional<String> ended = outcome instanceof CommandOutcome.Exited ? report.directory() : Optional.empty();
            List<String> notices = kept.map(one -> one.ended(in, ended)).orElse(List.of());
            return new CapturedRun(
                    outcome,
                    result.status().isPresent(),
                    output.captured(),
                    cleanup,
                    took,
                    kept.flatMap(KeptDirectory::moved),
                    notices);
        } catch (SpawnException refused) {
            kept.ifPresent(one -> one.giveUp(in));
            throw refused;
        } finally {
            output.seal();
        }
    }

    /** Refuses a shell that the executor would silently replace by its own. */
    private void requireShell() {
        if (shell == CommandShell.BASH && executor.shells().equals(Set.of(CommandShell.OWN))) {
            throw new SpawnException("there is no bash where the executor '" + executor.name()
                    + "' runs commands: install one there, or set the shell to sh");
        }
    }

    private static RunOptions reporting(RunOptions options, DirectoryReport report) {
        return options.stderr(SpawnOptions.Stderr.SEPARATE).onChunk((source, block) -> {
            if (source == OutputSource.ERR) {
                report.accept(block);
            }
        });
    }

    /** Returns the cleanup report, or, while files are still being fetched, a report that says so. */
    private Optional<CleanupReport> cleanup(CommandResult result) {
        boolean ended = !(result.outcome() instanceof CommandOutcome.Lost);
        if (result.cleanup().isPresent() || !executor.copiesFiles() || !ended) {
            return result.cleanup();
        }
        underWay.add(result.closed());
        String missing = executor.awaitedFiles().map(paths -> paths + " are").orElse("some of them are");
        return Optional.of(CleanupReport.of(
                OptionalInt.empty(),
                List.of("The command's changes to files are still being fetched: " + missing
                        + " not in the worktree yet."
                        + " File tools wait for them, and a later result reports what could not be fetched.")));
    }

    private RunOptions options(String in, Duration timeout, AbortSignal wanted) {
        return RunOptions.in(in)
                .env(variables)
                .signal(wanted)
                .killGrace(killGrace)
                .stderr(SpawnOptions.Stderr.MERGED)
                .timeout(timeout)
                .closeTimeout(executor.copiesFiles() && timeout.compareTo(CLOSE) > 0 ? timeout : CLOSE);
    }

    /** Returns how a command ended: an abort takes precedence over a timeout. */
    private static CommandOutcome outcome(CommandResult result, AbortSignal wanted) {
        return result.outcome() instanceof CommandOutcome.TimedOut
                ? wanted.reason()
                        .<CommandOutcome>map(CommandOutcome.Aborted::new)
                        .orElse(result.outcome())
                : result.outcome();
    }

    /**
     * Runs a command of the session's own and returns its output, whatever its exit status.
     *
     * @param command the command
     * @param timeout how long it may take
     * @param wanted aborted when it is no longer wanted
     * @return its output
     * @throws ExecutorException if it could not be started, was lost, aborted, or did not end in
     *     time
     * @throws InterruptedException if the thread was interrupted; termination of the command has
     *     been requested
     */
    public String ask(String command, Duration timeout, AbortSignal wanted) throws InterruptedException {
        CommandResult result = executor.run(command, options(directory, timeout, wanted));
        return switch (outcome(result, wanted)) {
            case CommandOutcome.Exited exited -> result.outText();
            case CommandOutcome.TimedOut timedOut ->
                throw new ExecutorException(
                        executor.name() + ": a first, trivial command did not end within " + Timeouts.unit(timeout));
            case CommandOutcome.Aborted aborted -> throw new AbortedException(aborted.reason());
            case CommandOutcome.Lost lost -> throw lost.cause();
        };
    }

    /**
     * Starts a command for the background.
     *
     * @param in the directory that it starts in, as a command path
     * @param signal aborting it terminates the command
     * @param grace the time between SIGTERM and SIGKILL for the command's process tree
     * @param input sets its standard input or terminal
     * @throws ExecutorException if the command could not be started; nothing has run
     */
    public ProcessLike start(
            String command, String in, AbortSignal signal, Duration grace, UnaryOperator<SpawnOptions.Builder> input) {
        requireShell();
        SpawnOptions.Builder options = SpawnOptions.builder(in)
                .shell(shell)
                .env(variables)
                .signal(signal)
                .killGrace(grace)
                .stderr(SpawnOptions.Stderr.MERGED);
        ProcessLike process = executor.spawn(command, input.apply(options).build());
        if (executor.copiesFiles()) {
            var unused = process.onExit().thenRun(() -> underWay.add(process.onClosed()));
        }
        return process;
    }

    /**
     * Returns and removes the cleanup reports that arrived after the results of their commands had
     * been returned.
     */
    public List<CleanupReport> takeLate() {
        List<CleanupReport> taken = new ArrayList<>();
        for (CleanupReport one = late.poll(); one != null; one = late.poll()) {
            taken.add(one);
        }
        return taken;
    }
}
