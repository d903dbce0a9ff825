package dev.paddock.executor.process.supervise;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.io.Poller;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.JdkLauncher;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.launch.Launcher;
import dev.paddock.executor.process.launch.NativeLauncher;
import dev.paddock.executor.process.launch.NativeSelfTest;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.NativeFault;
import dev.paddock.executor.process.posix.Posix;
import dev.paddock.executor.process.table.HandleTable;
import dev.paddock.executor.process.table.OwnerId;
import dev.paddock.executor.process.table.PidfdProcess;
import dev.paddock.executor.process.table.ProcessTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts an executor's processes, waits for them, and sees to their end: when a command's main process ends, when its signal
 * is aborted, when the executor is disposed of, and, through a small process beside, when the JVM dies.
 *
 * <p>One for each executor; {@link #close} is that executor's disposal. It costs a thread that waits for processes and
 * streams, and the process beside. Methods may be called from any number of threads at once.
 */
public final class Supervisor implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long DISPOSAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration LONGEST_GRACE_AT_DISPOSAL = Duration.ofSeconds(4);

    private final String name;
    private final String id;
    private final Launcher launcher;
    private final ProcessTable table;
    private final Reaper reaper;
    private final boolean keepsLeftovers;
    private final SupervisorThreads threads;
    private final Set<ChildProcess> spare = ConcurrentHashMap.newKeySet();
    private final Set<SupervisedCommand> live = ConcurrentHashMap.newKeySet();
    private final Set<SupervisedCommand> kept = ConcurrentHashMap.newKeySet();
    private final AtomicInteger starting = new AtomicInteger();
    private final AtomicLong commands = new AtomicLong();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private volatile boolean disposed;

    private Supervisor(String name, boolean keepsLeftovers, Optional<Posix> posix) {
        int number = NUMBERS.incrementAndGet();
        String label = "paddock-" + name + "-" + number;
        this.name = name;
        this.id = OwnerId.current() + ":" + number;
        this.keepsLeftovers = keepsLeftovers;
        threads = new SupervisorThreads(label);
        launcher =
                posix.<Launcher>map(found -> new NativeLauncher(found, label)).orElseGet(JdkLauncher::new);
        // What has failed its trial there may as well have the wrong idea of the process list.
        table = LibC.isMac() && posix.isEmpty() ? new HandleTable() : ProcessTable.ofThisMachine();
        try {
            reaper = Reaper.start(launcher, markerPrefix());
        } catch (RuntimeException fault) {
            launcher.close();
            throw fault;
        }
    }

    /**
     * Makes a supervisor.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers whether what a command leaves running lives until disposal; else it is ended with the command
     *     (C8)
     * @return the supervisor; owned by the caller
     * @throws ExecutorException if processes cannot be started or waited for here
     */
    public static Supervisor create(String name, boolean keepsLeftovers) {
        return LibC.isMac()
                ? ofPortableProcesses(name, keepsLeftovers)
                : new Supervisor(name, keepsLeftovers, Posix.instance());
    }

    /**
     * Makes a supervisor that does without what only Linux has, as {@link #create} does on macOS. There it was written without a
     * machine to run it on, and is tried before it is relied upon.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers as with {@link #create}
     * @return the supervisor; owned by the caller
     */
    public static Supervisor ofPortableProcesses(String name, boolean keepsLeftovers) {
        return new Supervisor(
                name, keepsLeftovers, Posix.portable().filter(posix -> !LibC.isMac() || NativeSelfTest.passesHere()));
    }

    /**
     * Makes a supervisor that starts processes by the JDK's own means, as {@link #create} does where nothing better is to be
     * had.
     *
     * @param name the executor's name, for threads and messages
     * @param keepsLeftovers as with {@link #create}
     * @return the supervisor; owned by the caller
     */
    public static Supervisor ofJdkProcesses(String name, boolean keepsLeftovers) {
        return new Supervisor(name, keepsLeftovers, Optional.empty());
    }

    /**
     * Whether an exit code is told from death by a signal, and descriptors above 2 can be handed on.
     *
     * @return false where processes are started by the JDK's own means
     */
    public boolean isNative() {
        return launcher.exactStatus();
    }

    /** Whether a shell can be given its orders on a descriptor: macOS's, bash 3.2, sources nothing from a pipe. */
    public boolean sourcesDescriptors() {
        return launcher.posix()
                .filter(posix -> posix.platform().hasLinuxCalls())
                .isPresent();
    }

    /**
     * A new value for {@link dev.paddock.executor.CommandExecutor#MARKER}. It names this JVM, this executor and one command.
     *
     * @return a value that was never returned before
     */
    public String newMarker() {
        return markerPrefix() + commands.incrementAndGet();
    }

    private String markerPrefix() {
        return id + ":";
    }

    /**
     * Starts a process on the calling thread.
     *
     * @param spec what to start
     * @return the process; to be made into a command or discarded
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
     * @return the process; to be made into a command or discarded
     * @throws dev.paddock.executor.SpawnException if it cannot be started
     * @throws ExecutorDisposedException after {@link #close}
     */
    public ChildProcess launch(LaunchSpec spec, LaunchThread thread) {
        starting.incrementAndGet(); // before the check: disposal waits for those that have passed it
        try {
            requireNotDisposed();
            ChildProcess child = launcher.launch(spec, thread);
            spare.add(child);
            reaper.watch(child);
            if (disposed) {
                discard(child);
                requireNotDisposed();
            }
            return child;
        } finally {
            starting.decrementAndGet();
        }
    }

    /**
     * Makes a process into a command: wires the signal, ends its tree when it must be ended, and lets go of it when that is
     * done.
     *
     * @param child a process of {@link #launch} that is no command yet
     * @param options what it was asked for; signal and grace are looked at
     * @param tree how to reach what it starts
     * @return the command
     * @throws AbortedException if the signal has been aborted already; the process is discarded
     * @throws ExecutorDisposedException after {@link #close}; the process is discarded
     */
    public ProcessLike supervise(ChildProcess child, SpawnOptions options, ProcessTree tree) {
        SupervisedCommand command = new SupervisedCommand(this, child, options, tree, keepsLeftovers);
        live.add(command);
        spare.remove(child);
        command.start();
        if (disposed) {
            command.end(Duration.ZERO);
            requireNotDisposed();
        }
        return command;
    }

    /**
     * The tree of a command on the host: session, process group, parent chain and marker.
     *
     * @param child the command's main process
     * @param marker the value of its {@link dev.paddock.executor.CommandExecutor#MARKER}
     * @param before {@link #now} before the process could start anything
     * @return the tree
     */
    public ProcessTree hostTree(ChildProcess child, String marker, Moment before) {
        return new HostTree(child, marker, table, before.point());
    }

    /**
     * A moment in the life of this machine, to tell older processes from newer ones.
     *
     * @return now
     */
    public Moment now() {
        return new Moment(table.now());
    }

    /** A moment in the life of a machine. */
    public static final class Moment {
        private final Object point;

        private Moment(Object point) {
            this.point = point;
        }

        Object point() {
            return point;
        }
    }

    /**
     * Ends a process that was not made into a command, its group with it, and lets go of it. Returns at once.
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
        spare.remove(child);
    }

    /**
     * Runs something on another thread when a process has ended that was not started here, but by one that was.
     *
     * @param process what is waited for
     * @param action what is run once; not at all where a process can only be waited for by its parent
     * @return ends the waiting; to be run before the process is closed
     */
    public Runnable whenEnded(PidfdProcess process, Runnable action) {
        Optional<Poller> poller = launcher.poller();
        if (poller.isEmpty()) {
            return () -> {};
        }
        try {
            return process.watch(poller.get(), () -> run(action))::close;
        } catch (NativeFault fault) {
            System.getLogger(Supervisor.class.getName())
                    .log(System.Logger.Level.DEBUG, "A process is not waited for; its parent will tell", fault);
            return () -> {};
        }
    }

    /** Runs something short on a thread of the supervisor's. */
    void run(Runnable task) {
        threads.run(task);
    }

    void runAfter(Duration delay, Runnable task) {
        threads.runAfter(delay, task);
    }

    /** How much waits for its time. */
    int putOff() {
        return threads.waiting();
    }

    /**
     * Whether {@link #close} has been called.
     *
     * @return true from the call on
     */
    public boolean isDisposed() {
        return disposed;
    }

    void keep(SupervisedCommand command) {
        kept.add(command);
        live.remove(command);
        if (disposed) {
            endKept();
        }
    }

    void forget(SupervisedCommand command, ChildProcess child) {
        letGo(child);
        live.remove(command);
        kept.remove(command);
    }

    private void requireNotDisposed() {
        if (disposed) {
            throw new ExecutorDisposedException(name);
        }
    }

    /**
     * Ends every command and every other process that was started here, then the threads. Waits for that, 10 seconds at
     * most; a second call waits for the first.
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
            BoundedWait.upTo(TimeUnit.NANOSECONDS.toMillis(DISPOSAL_NANOS), disposal);
        }
    }

    private void dispose() {
        long deadline = System.nanoTime() + DISPOSAL_NANOS;
        live.forEach(command -> run(() -> command.end(command.grace(LONGEST_GRACE_AT_DISPOSAL))));
        spare.forEach(this::discard);
        endKept();
        while (!isEmpty() && System.nanoTime() - deadline < 0) {
            List<CompletableFuture<?>> ends = Stream.concat(
                            live.stream().map(SupervisedCommand::settled),
                            spare.stream().map(ChildProcess::ended))
                    .collect(Collectors.toList());
            ends.forEach(end -> BoundedWait.upTo(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()), end));
            BoundedWait.millis(1);
        }
        String left = Stream.concat(
                        Stream.concat(live.stream(), kept.stream()).map(SupervisedCommand::describe),
                        spare.stream().map(child -> "process " + child.pid()))
                .collect(Collectors.joining("; "));
        if (left.isEmpty()) {
            reaper.close();
            launcher.close();
        }
        threads.close();
        if (!left.isEmpty()) {
            throw new ExecutorException("the " + name + " executor was disposed of, but within 10 s could not end "
                    + left + "; the kernel holds them, most likely in a file system that does not answer");
        }
    }

    private boolean isEmpty() {
        return starting.get() == 0 && live.isEmpty() && spare.isEmpty() && kept.isEmpty();
    }

    private void endKept() {
        kept.forEach(command -> run(command::endKept));
    }
}
