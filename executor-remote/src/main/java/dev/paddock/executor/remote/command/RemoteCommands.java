package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.sandbox.spawn.Shells;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Starts an executor's commands through the spawner, and disposes of its remote system. */
public final class RemoteCommands {
    /** The shells that commands may ask for: only a slot finds out whether its remote system has bash. */
    public static final Set<CommandShell> SHELLS = Set.of(CommandShell.OWN, CommandShell.BASH_IF_PRESENT);

    private static final Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    /**
     * A remote system spends a tenth of a second of processor time on starting a slot: the delay lets a short command
     * finish first.
     */
    private static final Duration REFILL_DELAY = Duration.ofMillis(25);

    private final RemoteProvider source;
    private final RemoteBackend backend;
    private final SandboxedSpawner<RemoteSystem> spawner;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean disposed = new AtomicBoolean();
    private @Nullable Set<Guarantee> guarantees;

    /**
     * Creates an executor's commands, the first of which opens the remote system.
     *
     * @param source supplies the remote system; disposed of with the commands
     */
    public RemoteCommands(RemoteProvider source) {
        this.source = source;
        backend = new RemoteBackend(source);
        WarmPool.Settings slots = new WarmPool.Settings(
                "paddock-" + source.backend(),
                source.warmSlots(),
                WarmPool.Settings.DEFAULT_IDLE,
                REFILL_DELAY,
                WarmPool.Settings.DEFAULT_RETRY);
        spawner = new SandboxedSpawner<>(source.backend(), Shells.ofAPlace(), slots, backend);
    }

    /** Returns what the remote system guarantees; asks once. */
    public Set<Guarantee> guarantees() {
        lock.lock();
        try {
            Set<Guarantee> known = guarantees;
            if (known == null) {
                known = Set.copyOf(source.guarantees());
                guarantees = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the directory that the remote system shares with the host; empty if unknown. */
    public Optional<PathMapping> worktree() {
        return source.worktree();
    }

    /** Returns whether commands may not change a file, as the executor's {@code isKept} does. */
    public boolean isKept(Path path) {
        return source.isKept(path);
    }

    /** Starts a command, as the executor's {@code spawn} does. */
    public ProcessLike spawn(String command, SpawnOptions options) {
        requireTerminal(options);
        return spawner.spawn(command, options, source.environment());
    }

    /**
     * Starts a command in the connected system to which its files have been copied.
     *
     * @param system a result of {@link #remote}
     * @throws dev.paddock.executor.SandboxLostException if it is lost; the command is not started in another
     */
    public ProcessLike spawn(RemoteSystem system, String command, SpawnOptions options) {
        requireTerminal(options);
        return spawner.spawn(command, options, source.environment(), signal -> system.usable());
    }

    private void requireTerminal(SpawnOptions options) {
        if (options.terminal().isPresent() && !guarantees().contains(Guarantee.TERMINAL)) {
            throw new SpawnException(source.withoutTerminal());
        }
    }

    /**
     * Returns the connected system, and opens it if necessary. Requests warm slots.
     *
     * @param signal aborts the opening
     */
    public RemoteSystem remote(AbortSignal signal) {
        return spawner.prepare(signal);
    }

    /**
     * Opens the remote system, and requests warm slots, before the first command.
     *
     * @param owner the executor of these commands, which is disposed of on failure
     */
    public void start(CommandExecutor owner) {
        try {
            spawner.prepare();
        } catch (RuntimeException fault) {
            owner.dispose();
            throw fault;
        }
    }

    /** Ends every command, and removes what the executor created; waits 10 seconds at most. */
    public void dispose() {
        if (disposed.compareAndSet(false, true)) {
            DaemonThreads.virtual("paddock-remote-dispose").start(this::end);
        }
        await();
    }

    private void end() {
        try {
            spawner.close();
            disposal.complete(null);
        } catch (RuntimeException | Error fault) {
            disposal.completeExceptionally(fault);
        }
    }

    private void await() {
        try {
            disposal.get(DISPOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw source.left(
                    "not everything could be ended within " + DISPOSE_BOUND.toSeconds() + " s: " + source.what(), late);
        } catch (ExecutionException fault) {
            throw fault.getCause() instanceof ExecutorException known
                    ? known
                    : source.left("the executor could not be disposed of: " + fault.getMessage(), fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw source.left("interrupted while disposing of " + source.what(), interrupt);
        }
    }

    /** Returns the remote system's id; empty before it has been opened. */
    public Optional<String> systemId() {
        return backend.systemId();
    }

    public int waitingSlots() {
        return spawner.waitingSlots();
    }
}
