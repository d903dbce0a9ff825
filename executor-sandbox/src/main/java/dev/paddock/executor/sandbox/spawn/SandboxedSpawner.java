package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Starts an executor's commands, each in its own sandbox, and owns the start sequence:
 *
 * <ol>
 *   <li>take a warm slot, or start a cold sandbox
 *   <li>check the worktree and the plan, on the calling thread, while a cold sandbox is set up
 *   <li>release: the sandbox receives the command request and executes the command
 *   <li>wait for the command's process and the end of its tree
 *   <li>settle: restore the worktree's protected paths, close the sandbox
 * </ol>
 *
 * <p>A {@link SandboxBackend} sets the sandboxes up and does not know the sequence. The spawner settles each command
 * once, on every path, even one that could not be started.
 *
 * <p>Thread-safe.
 *
 * @param <P> the plan of a sandbox; compared by {@code equals}
 */
public final class SandboxedSpawner<P> implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(SandboxedSpawner.class);

    /**
     * The spawner's time limits.
     *
     * @param disposal how long disposal takes in all (C11)
     * @param settling the least time that disposal waits for settlements
     * @param end how long after the exit of a command's main process its tree may take to end
     */
    record Bounds(Duration disposal, Duration settling, Duration end) {
        static final Bounds STANDARD = new Bounds(Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    private final String name;
    private final Shells shells;
    private final Bounds bounds;
    private final SandboxBackend<P> backend;
    private final WarmPool<P, WarmSlot> pool;
    private final StartedCommands started;
    private volatile boolean closed;

    /** A live command can change the worktree each time a sandbox is set up. */
    private static final int MAX_ATTEMPTS = 3;

    /** The pause before a cold start is retried, doubled each time; 1.55 s in all. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private static final Duration MAX_PAUSE = Duration.ofMillis(800);

    /** The files behind a plan have changed; the sandbox has executed nothing of the command. */
    private static final class OutdatedPlan extends ExecutorException {
        private static final long serialVersionUID = 1;

        OutdatedPlan() {
            super("the paths of the command's sandbox keep changing while it is set up; run the command again");
        }
    }

    /**
     * Creates a spawner.
     *
     * @param name the backend's name, for threads and messages
     * @param shell the commands' shell, an absolute command-side path
     * @param warmSlots the number of ready warm slots
     * @param backend starts the sandboxes; closed with this spawner
     */
    public SandboxedSpawner(String name, String shell, int warmSlots, SandboxBackend<P> backend) {
        this(name, Shells.ofThisMachine(shell), new WarmPool.Settings("paddock-" + name, warmSlots), backend);
    }

    /**
     * Creates a spawner.
     *
     * @param name the backend's name, for messages
     * @param shells the commands' shells
     * @param slots how many warm slots are ready, and when they are prepared
     * @param backend starts the sandboxes; closed with this spawner
     */
    public SandboxedSpawner(String name, Shells shells, WarmPool.Settings slots, SandboxBackend<P> backend) {
        this(name, shells, slots, Bounds.STANDARD, backend);
    }

    SandboxedSpawner(String name, Shells shells, WarmPool.Settings slots, Bounds bounds, SandboxBackend<P> backend) {
        this.name = name;
        this.shells = shells;
        this.bounds = bounds;
        this.backend = backend;
        started = new StartedCommands(name, bounds.end());
        pool = new WarmPool<>(slots, plan -> set(backend.prepare(plan, Map.of())), WarmSlot::discard);
    }

    private static WarmSlot set(StartingSandbox starting) throws IOException {
        boolean waiting = false;
        try {
            WarmSlot slot = starting.await();
            waiting = true;
            return slot;
        } finally {
            if (!waiting) {
                starting.discard();
            }
        }
    }

    /**
     * Starts a command. Returns when the sandbox has executed it.
     *
     * @param command the command string
     * @param options its directory, environment, streams, abort signal and grace period
     * @param base the environment of every command; the command's own overrides it
     * @return the command's process
     * @throws AbortedException if the signal was aborted before; nothing was executed
     * @throws ExecutorDisposedException after {@link #close}, or if it is called meanwhile
     * @throws dev.paddock.executor.SpawnException if the command cannot be executed
     */
    public ProcessLike spawn(String command, SpawnOptions options, Map<String, String> base) {
        return spawn(command, options, base, backend::plan);
    }

    /**
     * Starts a command in a sandbox whose plan the caller supplies, for callers that have copied files into the
     * sandbox.
     *
     * @param command the command string
     * @param options its directory, environment, streams, abort signal and grace period
     * @param base the environment of every command; the command's own overrides it
     * @param plans returns the plan, or throws what {@link #spawn(String, SpawnOptions, Map)} shall throw
     * @return the command's process
     */
    public ProcessLike spawn(
            String command, SpawnOptions options, Map<String, String> base, Function<AbortSignal, P> plans) {
        requireOpen();
        if (!backend.hasTerminal()) {
            options.refuseTerminal(name);
        }
        if (!options.published().isEmpty()) {
            backend.requirePublishing(name, options);
        }
        options.signal().throwIfAborted();
        String shell = shells.program(options.shell());
        SpawnRequest<P> request = SpawnRequest.of(shell, command, options, base, backend::passesExactly, plans);
        try {
            return spawnByCurrentPlan(request);
        } catch (ExecutorDisposedException disposed) {
            throw disposed;
        } catch (RuntimeException fault) {
            throw closed && !options.signal().isAborted() ? disposed(fault) : fault;
        }
    }

    /**
     * Returns whether the backend protects a file, as the executor's {@code isKept} does.
     *
     * @param path a path of this machine
     */
    public boolean isKept(Path path) {
        return backend.isKept(path);
    }

    /** Returns the shells that commands may ask for. */
    public Set<CommandShell> shells() {
        return shells.all();
    }

    /** Sets up what commands' sandboxes share, and requests warm slots, before the first command. */
    public void prepare() {
        P unused = prepare(AbortSignal.never());
    }

    /**
     * Prepares as {@link #prepare()} does, and returns the plan.
     *
     * @param signal aborts the compilation of the plan
     * @return the plan of the next command's sandbox, unless it changes
     */
    public P prepare(AbortSignal signal) {
        requireOpen();
        P plan = backend.plan(signal);
        pool.refill(plan);
        return plan;
    }

    private ProcessLike spawnByCurrentPlan(SpawnRequest<P> request) {
        for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                return spawnOnce(request);
            } catch (OutdatedPlan outdated) {
                LOG.log(Level.DEBUG, "The plan of a command's sandbox has changed; another sandbox is set up");
            }
        }
        return spawnOnce(request);
    }

    private ProcessLike spawnOnce(SpawnRequest<P> request) {
        P plan = request.plan();
        try {
            return runWarmOrCold(plan, request);
        } catch (SandboxUnavailableException fault) {
            // Another command may have removed a directory that the plan mounts, or ended a shared resource.
            throw request.plan().equals(plan) ? fault : new OutdatedPlan();
        }
    }

    /** Takes a warm slot that fits the plan; starts a cold sandbox if there is none, or the slot has failed. */
    private ProcessLike runWarmOrCold(P plan, SpawnRequest<P> request) {
        boolean poolable = request.fitsWarmSlot();
        ProcessLike process = (poolable ? pool.poll(plan) : Optional.<WarmSlot>empty())
                .filter(this::isWaiting)
                .flatMap(slot -> runWarm(slot, plan, request))
                .orElseGet(() -> runCold(plan, request));
        if (poolable) {
            pool.refill(plan);
        }
        return process;
    }

    private boolean isWaiting(WarmSlot slot) {
        boolean ended = slot.hasEnded();
        if (ended) {
            slot.discard();
        }
        return !ended;
    }

    private Optional<ProcessLike> runWarm(WarmSlot slot, P plan, SpawnRequest<P> request) {
        try {
            return Optional.of(run(plan, request, Optional.of(slot)));
        } catch (IOException fault) {
            requireOpen(); // disposal ends warm slots, which is no failure of theirs
            pool.failed(plan, fault);
            return Optional.empty();
        }
    }

    private ProcessLike runCold(P plan, SpawnRequest<P> request) {
        for (Duration pause = FIRST_PAUSE; true; pause = pause.multipliedBy(2)) {
            try {
                return run(plan, request, Optional.empty());
            } catch (IOException fault) {
                if (pause.compareTo(MAX_PAUSE) > 0 || !backend.maySucceedSoon(fault)) {
                    throw backend.failure(fault);
                }
                LOG.log(Level.DEBUG, "A sandbox did not take its command; another one is started", fault);
                pause(pause, request.options().signal());
            }
        }
    }

    private void pause(Duration pause, AbortSignal signal) {
        long end = System.nanoTime() + pause.toNanos();
        while (System.nanoTime() < end) {
            signal.throwIfAborted();
            requireOpen();
            LockSupport.parkNanos(FIRST_PAUSE.toNanos());
        }
    }

    private ProcessLike run(P plan, SpawnRequest<P> request, Optional<WarmSlot> warm) throws IOException {
        long begun = FlightEvents.begin();
        Optional<WorktreeGuard.Command> guarded = backend.announce(plan);
        StartingSandbox sandbox = warm.isPresent() ? StartingSandbox.started(warm.get()) : start(plan, request);
        boolean released = false;
        Optional<Publication> published = Optional.empty();
        try {
            published = publish(plan, request.options());
            guarded.ifPresent(WorktreeGuard.Command::begin);
            if (!backend.stillHolds(plan)) {
                throw new OutdatedPlan();
            }
            WarmSlot slot = sandbox.await();
            Supplier<List<String>> observed = backend.observe();
            StatusMapper mapper = slot.statusMapper();
            ProcessLike process = slot.release(request.command(), request.options());
            released = true;
            ProcessLike followed = backend.hasSandbox()
                    ? started.follow(process, slot, mapper, published, guarded, observed)
                    : process;
            return FlightEvents.follow(followed, name, request, warm.isPresent(), begun);
        } finally {
            if (!released) {
                published.ifPresent(Publication::close);
                started.discard(sandbox, guarded);
            }
        }
    }

    private Optional<Publication> publish(P plan, SpawnOptions options) {
        return options.published().isEmpty()
                ? Optional.empty()
                : Optional.of(backend.publish(plan, options.published()));
    }

    private StartingSandbox start(P plan, SpawnRequest<P> request) throws IOException {
        Optional<TerminalSize> terminal = request.options().terminal();
        return terminal.isPresent()
                ? backend.startWithTerminal(plan, request.startedWith(), terminal.get())
                : backend.startCold(plan, request.startedWith());
    }

    /**
     * Kills every running command and drops the warm slots, because they have lost a shared resource.
     *
     * @param reason which resource is lost, as a sentence without its full stop
     */
    public void lose(String reason) {
        pool.drop();
        started.lose(reason);
    }

    /**
     * Returns how many warm slots are ready.
     *
     * @return from 0 to the configured number
     */
    public int waitingSlots() {
        return pool.ready();
    }

    private void requireOpen() {
        if (closed) {
            throw new ExecutorDisposedException(name);
        }
    }

    /**
     * Maps a fault to the exception of disposal: disposal ends sandboxes that are being set up, which causes any
     * failure in them.
     */
    private ExecutorDisposedException disposed(RuntimeException fault) {
        ExecutorDisposedException reason = new ExecutorDisposedException(name);
        reason.addSuppressed(fault);
        return reason;
    }

    /**
     * Ends the commands and the sandboxes, and waits until the last commands have settled.
     *
     * @throws ExecutorException if processes or commands are left, or a settlement has a report that no command's
     *     result contains; the message names them
     */
    @Override
    public void close() {
        closed = true;
        long deadline = System.nanoTime() + bounds.disposal().toNanos();
        pool.close();
        Optional<RuntimeException> unended = Optional.empty();
        try {
            backend.close();
        } catch (RuntimeException fault) {
            unended = Optional.of(fault);
        }
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        try {
            started.await(left.compareTo(bounds.settling()) < 0 ? bounds.settling() : left, unended);
        } catch (RuntimeException unsettled) {
            unended.ifPresent(unsettled::addSuppressed);
            throw unsettled;
        }
        if (unended.isPresent()) {
            throw unended.get();
        }
    }
}
