package dev.paddock.executor.process.supervise;

import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.stream.Poller;
import dev.paddock.executor.os.table.HandleTable;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.launch.Launcher;
import dev.paddock.executor.process.launch.TerminalSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Starts an executor's processes, waits for them, and ends their process trees: when a command's main process exits,
 * when its signal is aborted, at disposal, and, through a reaper process, when the JVM dies.
 *
 * <p>Each executor has one; {@link #close} is that executor's disposal. It uses one thread that waits for processes and
 * streams, and the reaper process. Thread-safe.
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // only modules that the process table is exported to use it
public final class Supervisor implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Duration MAX_GRACE_AT_DISPOSAL = Duration.ofSeconds(4);

    private final String name;
    private final String markerPrefix;
    private final Launcher launcher;
    private final ProcessTable table;
    private final Reaper reaper;
    private final boolean keepsLeftovers;
    private final SupervisorBounds bounds;
    private final SupervisorThreads threads;
    private final StartedProcesses started = new StartedProcesses();
    private final AtomicLong commands = new AtomicLong();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile boolean disposed;
    private volatile boolean overdue; // whether the wait of disposal has timed out

    private Supervisor(String name, boolean keepsLeftovers, Optional<Posix> posix) {
        this(name, keepsLeftovers, posix, SupervisorBounds.STANDARD);
    }

    private Supervisor(String name, boolean keepsLeftovers, Optional<Posix> posix, SupervisorBounds bounds) {
        int number = NUMBERS.incrementAndGet();
        String label = "paddock-" + name + "-" + number;
        this.name = name;
        this.markerPrefix = OwnerId.current() + ":" + number + ":";
        this.keepsLeftovers = keepsLeftovers;
        this.bounds = bounds;
        threads = new SupervisorThreads(label);
        launcher = Launcher.of(posix, label);
        // Where the native self-test has failed, the native process list may be wrong as well.
        table = LibC.isMac() && posix.isEmpty() ? new HandleTable() : ProcessTable.ofThisMachine();
        try {
            reaper = Reaper.start(launcher, markerPrefix);
        } catch (RuntimeException fault) {
            launcher.close();
            throw fault;
        }
    }

    /**
     * Creates a supervisor.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers whether a command's leftovers live until disposal; otherwise they are ended with the
     *     command (C8)
     * @return the supervisor; owned by the caller
     * @throws ExecutorException if processes cannot be started or waited for here
     */
    public static Supervisor create(String name, boolean keepsLeftovers) {
        return LibC.isMac()
                ? ofPortableProcesses(name, keepsLeftovers)
                : new Supervisor(name, keepsLeftovers, Posix.instance());
    }

    /**
     * Creates a supervisor that uses only portable POSIX calls, as {@link #create} does on macOS. That code was written
     * without a macOS machine to run it on, so a self-test precedes its use there.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers as with {@link #create}
     * @return the supervisor; owned by the caller
     */
    public static Supervisor ofPortableProcesses(String name, boolean keepsLeftovers) {
        return new Supervisor(
                name, keepsLeftovers, Posix.portable().filter(posix -> !LibC.isMac() || Launcher.passesSelfTest()));
    }

    /** Creates a supervisor with other time limits. */
    static Supervisor within(SupervisorBounds bounds, String name, Optional<Posix> posix) {
        return new Supervisor(name, false, posix, bounds);
    }

    /**
     * Creates a supervisor that starts processes with {@link ProcessBuilder}, as {@link #create}
     * does where the C library cannot be used.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers as with {@link #create}
     * @return the supervisor; owned by the caller
     */
    public static Supervisor ofJdkProcesses(String name, boolean keepsLeftovers) {
        return new Supervisor(name, keepsLeftovers, Optional.empty());
    }

    /**
     * Returns whether the status distinguishes an exit code from death by a signal, and processes can inherit
     * descriptors above 2.
     *
     * @return false where the JDK starts the processes
     */
    public boolean isNative() {
        return launcher.hasExactStatus();
    }

    /**
     * Returns whether a shell can read its command request from a descriptor: macOS's bash 3.2 sources nothing from a
     * pipe.
     */
    public boolean sourcesDescriptors() {
        return launcher.posix()
                .filter(posix -> posix.platform().hasLinuxCalls())
                .isPresent();
    }

    /** Returns the source of terminals; empty where a command cannot have one. */
    public Optional<TerminalSource> terminals() {
        return launcher.terminals();
    }

    /**
     * Returns a new value for {@link dev.paddock.executor.CommandExecutor#MARKER}. It names this JVM, this executor and
     * one command.
     *
     * @return a unique value
     */
    public String newMarker() {
        return markerPrefix + commands.incrementAndGet();
    }

    /**
     * Starts a process on the calling thread.
     *
     * @param spec what to start
     * @return the process, to be supervised or discarded
     * @throws dev.paddock.executor.SpawnException if it cannot be started
     * @throws ExecutorDisposedException after {@link #close}
     */
    public ChildProcess launch(LaunchSpec spec) {
        return launch(spec, LaunchThread.direct());
    }

    /**
     * Starts a process.
     *
     * @param spec what to start
     * @param thread where to start it from
     * @return the process, to be supervised or discarded
     * @throws dev.paddock.executor.SpawnException if it cannot be started
     * @throws ExecutorDisposedException after {@link #close}
     */
    public ChildProcess launch(LaunchSpec spec, LaunchThread thread) {
        started.starting().incrementAndGet(); // before the check: disposal waits for those that have passed it
        try {
            requireNotDisposed();
            ChildProcess child = launcher.launch(spec, thread);
            started.spare().add(child);
            reaper.watch(child);
            if (disposed) {
                discard(child);
                requireNotDisposed();
            }
            return child;
        } finally {
            started.starting().decrementAndGet();
        }
    }

    /**
     * Supervises a process as a command: registers for its abort signal, ends its tree when necessary, and then
     * releases the process.
     *
     * @param child a process of {@link #launch} that is not yet a command
     * @param options the command's options; only signal and grace are used
     * @param tree reaches the processes that it starts
     * @return the command; ended at once if its signal has been aborted, or after {@link #close}
     */
    public SupervisedProcess supervise(ChildProcess child, SpawnOptions options, ProcessTree tree) {
        SupervisedCommand command = new SupervisedCommand(this, child, options, tree, keepsLeftovers);
        started.live().add(command);
        started.spare().remove(child);
        command.start();
        if (disposed) {
            command.end(Duration.ZERO); // its process may have executed the command already
        }
        return command;
    }

    /**
     * Returns the tree of a command on the host: session, process group, parent chain and marker.
     *
     * @param child the command's main process
     * @param marker the value of its {@link dev.paddock.executor.CommandExecutor#MARKER}
     * @param before the result of {@link #now} before the process could start another
     * @return the tree
     */
    public ProcessTree hostTree(ChildProcess child, String marker, ProcessTableMark before) {
        return new HostTree(child, marker, table, before.point());
    }

    /**
     * Returns a mark that distinguishes older processes from newer ones.
     *
     * @return the current mark
     */
    public ProcessTableMark now() {
        return new ProcessTableMark(table.now());
    }

    /**
     * Ends and releases a process that is not supervised as a command, with its process group. Returns at once.
     *
     * @param child a process of {@link #launch}
     */
    public void discard(ChildProcess child) {
        if (!child.leadsSession() || !child.signalGroup(Signal.KILL)) {
            child.signal(Signal.KILL);
        }
        child.whenEnded((status, fault) -> {
            child.endStreams();
            letGo(child);
        });
    }

    private void letGo(ChildProcess child) {
        reaper.forget(child);
        child.release();
        started.spare().remove(child);
        if (overdue) {
            run(this::finishDisposal); // not on the launcher's own thread
        }
    }

    /**
     * Runs an action on another thread when a process has exited that one of this supervisor's processes has started.
     *
     * @param process the process to wait for
     * @param action the action, run once
     * @return an action that stops the waiting, to be run before the process is closed. Empty where only its parent can
     *     wait for a process: the action then never runs
     */
    public Optional<Runnable> whenEnded(PidfdProcess process, Runnable action) {
        Optional<Poller> poller = launcher.poller();
        if (poller.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(process.watch(poller.get(), () -> run(action))::close);
        } catch (NativeFault fault) {
            LateLogger.of(Supervisor.class)
                    .log(
                            System.Logger.Level.DEBUG,
                            "A process cannot be watched; its parent's exit is reported instead",
                            fault);
            return Optional.empty();
        }
    }

    SupervisorBounds bounds() {
        return bounds;
    }

    void run(Runnable task) {
        threads.run(task);
    }

    void runAfter(Duration delay, Runnable task) {
        threads.runAfter(delay, task);
    }

    int waitingTasks() {
        return threads.waiting();
    }

    /** {@return whether {@link #close} has been called} */
    public boolean isDisposed() {
        return disposed;
    }

    void keep(SupervisedCommand command) {
        started.kept().add(command);
        started.live().remove(command);
        if (disposed) {
            started.kept().forEach(one -> run(one::endKept));
        }
    }

    void forget(SupervisedCommand command, ChildProcess child) {
        letGo(child);
        started.live().remove(command);
        started.kept().remove(command);
        if (overdue) {
            run(this::finishDisposal);
        }
    }

    private void requireNotDisposed() {
        if (disposed) {
            throw new ExecutorDisposedException(name);
        }
    }

    /**
     * Ends every command and every other process that this supervisor has started, then its threads. Waits for that, 10
     * seconds at most; a second call waits for the first.
     *
     * @throws ExecutorException if something could not be ended; the message names it
     */
    @Override
    public void close() {
        boolean first;
        synchronized (this) {
            first = !disposed;
            disposed = true;
        }
        if (first) {
            try {
                dispose();
                disposal.complete(null);
            } catch (RuntimeException fault) {
                disposal.completeExceptionally(fault);
                throw fault;
            }
        } else {
            BoundedWait.upTo(bounds.disposal().toMillis(), disposal);
        }
    }

    private void dispose() {
        long deadline = System.nanoTime() + bounds.disposal().toNanos();
        started.live().forEach(command -> run(() -> command.end(command.grace(MAX_GRACE_AT_DISPOSAL))));
        started.spare().forEach(this::discard);
        started.kept().forEach(command -> run(command::endKept));
        while (!started.isEmpty() && System.nanoTime() - deadline < 0) {
            started.ends()
                    .forEach(end -> BoundedWait.upTo(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()), end));
            BoundedWait.millis(1);
        }
        String left = started.describe();
        overdue = true;
        finishDisposal();
        if (!left.isEmpty()) {
            throw new ExecutorException("the " + name + " executor was disposed of, but within "
                    + bounds.disposal().toSeconds() + " s could not end " + left
                    + "; they do not react to SIGKILL, most likely because a file system does not answer");
        }
    }

    private void finishDisposal() {
        if (overdue && started.isEmpty() && finished.compareAndSet(false, true)) {
            reaper.close();
            launcher.close();
            threads.close();
        }
    }
}
