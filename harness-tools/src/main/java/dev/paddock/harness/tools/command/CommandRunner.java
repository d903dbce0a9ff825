package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.output.OutputCapture;
import dev.paddock.harness.tools.output.OutputPump;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Runs commands through the session's executor: supplies directory, environment and abort signal,
 * and bounds the wait for the result. The process tree and its termination are the executor's
 * responsibility and are not repeated here.
 */
public final class CommandRunner {
    /**
     * Bounds the wait for output still in the pipe after the process has exited: the drain ends
     * after this long without data, and after {@code LONGEST_DRAIN_NANOS} at the latest.
     */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * The result of a stopped command is returned within the grace plus one second; the difference
     * between this margin and one second is reserved for rendering.
     */
    private static final long STOP_MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** The part of that margin reserved for draining if the process is slow to exit. */
    private static final long STOP_DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final CommandExecutor executor;
    private final String directory;
    private final Map<String, String> environment;
    private final Duration killGrace;
    private final LogDirectory logs;
    private final Executor workers;
    private final ScheduledExecutorService clock;
    private final Queue<CleanupReport> late = new ConcurrentLinkedQueue<>();

    /**
     * Creates a runner.
     *
     * @param executor where commands run
     * @param directory the command-side directory that they run in
     * @param environment the variables that commands receive besides those that keep programs from
     *     prompting
     * @param killGrace the time between SIGTERM and SIGKILL for a process tree
     * @param logs where the logs of long outputs are written
     * @param workers runs blocking tasks, each on a platform daemon thread
     * @param clock schedules timeouts and updates; its tasks are short
     */
    public CommandRunner(
            CommandExecutor executor,
            String directory,
            Map<String, String> environment,
            Duration killGrace,
            LogDirectory logs,
            Executor workers,
            ScheduledExecutorService clock) {
        this.executor = executor;
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        this.killGrace = killGrace;
        this.logs = logs;
        this.workers = workers;
        this.clock = clock;
    }

    /**
     * Returns the directory in which commands run.
     *
     * @return the command-side path
     */
    public String directory() {
        return directory;
    }

    /**
     * Returns the guarantees that the executor enforces.
     *
     * @return the executor's guarantees
     */
    public Set<Guarantee> guarantees() {
        return executor.guarantees();
    }

    /**
     * Runs a command and waits for its end.
     *
     * @param updates receives the output so far, now and then, on the clock's thread; an update in
     *     progress when this method returns may arrive late, and the receiver must drop it
     * @throws ExecutorException if the command could not be started; nothing has run
     * @throws InterruptedException if the thread was interrupted; termination of the command has
     *     been requested
     */
    public CommandResult run(String command, Duration timeout, AbortSignal wanted, Consumer<String> updates)
            throws InterruptedException {
        OutputCapture output = new OutputCapture(logs);
        long started = System.nanoTime();
        try (CommandDeadline stop = new CommandDeadline(wanted);
                Ticker ticker =
                        new Ticker(clock, () -> updates.accept(output.soFar().text()))) {
            ProcessLike process = start(command, stop.signal(), killGrace);
            stop.after(timeout, clock, workers);
            OutputPump pump = new OutputPump(process.stdout(), output, OutputPump.LARGEST_BLOCK, ticker::touch);
            boolean over = false;
            try {
                workers.execute(pump);
                CommandResult finished = await(process, stop, timeout, pump, output, started);
                over = true;
                return finished;
            } finally {
                if (!over) {
                    stop.now("the session has given up waiting");
                }
            }
        } finally {
            output.seal();
        }
    }

    /**
     * Runs a command of the session's own and returns its output, whatever its exit status.
     *
     * @param command the command
     * @param timeout how long it may take
     * @param wanted aborted when it is no longer wanted
     * @return the tail of its output
     * @throws ExecutorException if it could not be started, was lost, aborted, or did not end in
     *     time
     * @throws InterruptedException if the thread was interrupted; termination of the command has
     *     been requested
     */
    public String ask(String command, Duration timeout, AbortSignal wanted) throws InterruptedException {
        CommandResult finished = run(command, timeout, wanted, text -> {});
        return switch (finished.ending()) {
            case CommandOutcome.Ended ended -> finished.output().tail().text();
            case CommandOutcome.TimedOut timedOut ->
                throw new ExecutorException(
                        executor.name() + ": a first, trivial command did not end within " + Timeouts.unit(timeout));
            case CommandOutcome.Aborted aborted ->
                throw new AbortedException(wanted.reason().orElse("aborted"));
            case CommandOutcome.Lost lost -> throw lost.reason();
        };
    }

    /**
     * Passes a command to the executor.
     *
     * @param signal aborting it terminates the command
     * @param grace the time between SIGTERM and SIGKILL for the command's process tree
     * @throws ExecutorException if the command could not be started; nothing has run
     */
    public ProcessLike start(String command, AbortSignal signal, Duration grace) {
        return executor.spawn(command, options(signal, grace));
    }

    /**
     * Passes a command with an input to the executor.
     *
     * @param signal aborting it terminates the command
     * @param grace the time between SIGTERM and SIGKILL for the command's process tree
     * @param input sets its standard input or terminal
     * @throws ExecutorException if the command could not be started; nothing has run
     */
    public ProcessLike start(
            String command, AbortSignal signal, Duration grace, UnaryOperator<SpawnOptions.Builder> input) {
        return executor.spawn(command, input.apply(builder(signal, grace)).build());
    }

    private SpawnOptions options(AbortSignal signal, Duration grace) {
        return builder(signal, grace).build();
    }

    private SpawnOptions.Builder builder(AbortSignal signal, Duration grace) {
        return SpawnOptions.builder(directory)
                .env(NonInteractiveEnvironment.VARIABLES)
                .env(environment)
                .signal(signal)
                .killGrace(grace)
                .stderr(SpawnOptions.Stderr.MERGED);
    }

    private CommandResult await(
            ProcessLike process,
            CommandDeadline stop,
            Duration timeout,
            OutputPump pump,
            OutputCapture output,
            long started)
            throws InterruptedException {
        CompletableFuture<ExitStatus> exit = process.onExit().toCompletableFuture();
        CompletableFuture<CleanupReport> settled = process.onClosed().toCompletableFuture();
        Optional<CommandOutcome> natural = awaitExit(exit, stop);
        CommandOutcome ending = endingOf(natural, stop, timeout);
        boolean confirmed = exit.isDone() && !exit.isCompletedExceptionally();
        pump.drain(settled, QUIET_NANOS, longestDrain(stop));
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        output.seal();
        return new CommandResult(ending, confirmed, output.captured(), cleanup(settled), took);
    }

    /**
     * Returns how the command ended by itself; empty if it was stopped first, whatever its exit
     * status.
     */
    private Optional<CommandOutcome> awaitExit(CompletableFuture<ExitStatus> exit, CommandDeadline stop)
            throws InterruptedException {
        waitFor(CompletableFuture.anyOf(exit, stop.at()), Long.MAX_VALUE);
        if (!stop.at().isDone()) {
            return Optional.of(naturalEnding(exit));
        }
        waitFor(exit, stopDeadline(stop) - STOP_DRAIN_NANOS - System.nanoTime());
        return Optional.empty();
    }

    private static CommandOutcome naturalEnding(CompletableFuture<ExitStatus> exit) throws InterruptedException {
        try {
            return new CommandOutcome.Ended(exit.get());
        } catch (ExecutionException failed) {
            return new CommandOutcome.Lost(
                    failed.getCause() instanceof ExecutorException known
                            ? known
                            : new ExecutorException("how the command ended is unknown: " + failed.getCause(), failed));
        }
    }

    private static CommandOutcome endingOf(Optional<CommandOutcome> natural, CommandDeadline stop, Duration timeout) {
        // Abort takes precedence over timeout; an exit before either takes precedence over both.
        return natural.orElseGet(
                () -> stop.aborted() ? new CommandOutcome.Aborted() : new CommandOutcome.TimedOut(timeout));
    }

    private long longestDrain(CommandDeadline stop) {
        if (!stop.at().isDone()) {
            return LONGEST_DRAIN_NANOS;
        }
        return Math.min(LONGEST_DRAIN_NANOS, stopDeadline(stop) - System.nanoTime());
    }

    private long stopDeadline(CommandDeadline stop) {
        return stop.at().join() + killGrace.toNanos() + STOP_MARGIN_NANOS;
    }

    private static void waitFor(CompletableFuture<?> future, long nanos) throws InterruptedException {
        try {
            future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException seenByTheCaller) {
            // Both are states of the future, which the caller checks.
            return;
        }
    }

    private Optional<CleanupReport> cleanup(CompletableFuture<CleanupReport> settled) {
        if (settled.isDone()) {
            return settled.isCompletedExceptionally() ? Optional.empty() : Optional.of(settled.join());
        }
        var unused = settled.thenAccept(late::add);
        return Optional.empty();
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
