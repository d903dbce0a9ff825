package dev.paddock.executor.bwrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.ProcessTree;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A started sandbox, seen from the host. There are two bubblewrap processes: the JVM's child outside, which waits; and
 * the first process of a PID namespace, whose death kills every process of the namespace. The command's main process is
 * the only child of the second.
 */
final class BwrapTree implements ProcessTree, AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(BwrapTree.class);
    private static final Pattern FIRST_PROCESS = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");

    /** Several times what killed processes usually take to exit. */
    private static final Duration DYING = Duration.ofMillis(200);

    /** How long to wait for one process before checking the others again. */
    private static final Duration POLL = Duration.ofMillis(200);

    private static final Duration FOLLOWING = Duration.ofHours(1);

    private static final String ANSWER = Integer.toString(CommandRequest.ANSWER_DESCRIPTOR);

    /** A tenth of a second, for a loaded machine; the first check usually succeeds. */
    private static final int CHECKS = 1000;

    private static final long BETWEEN_CHECKS_NANOS = 50_000;

    private final ChildProcess outside;
    private final PidfdProcess first;
    private final PidfdProcess main;
    private Optional<CompletableFuture<Boolean>> end = Optional.empty();

    /** Completed unless this class has stopped the first process; guarded by this. */
    private CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

    private BwrapTree(ChildProcess outside, PidfdProcess first, PidfdProcess main) {
        this.outside = outside;
        this.first = first;
        this.main = main;
    }

    /**
     * Opens a pidfd of a sandbox's first process.
     *
     * @param information bubblewrap's report about the sandbox
     * @return the process; empty if it has exited
     * @throws IOException if the report does not name it
     */
    static Optional<PidfdProcess> first(String information) throws IOException {
        return PidfdProcess.open(firstProcess(information));
    }

    /**
     * Finds a sandbox's main process, which must have started and be waiting for its command.
     *
     * @param outside bubblewrap, as it was started
     * @param found the sandbox's first process, which this object then owns
     * @throws IOException if the sandbox has ended
     */
    static BwrapTree of(ChildProcess outside, Optional<PidfdProcess> found) throws IOException {
        PidfdProcess first =
                found.orElseThrow(() -> new IOException("the first process of a sandbox ended before its command"));
        try {
            return new BwrapTree(outside, first, process(ProcessFiles.onlyChild(first.pid())));
        } catch (IOException ended) {
            first.close();
            throw ended;
        }
    }

    static long firstProcess(String information) throws IOException {
        Matcher found = FIRST_PROCESS.matcher(information);
        if (!found.find()) {
            throw new IOException("bubblewrap did not report which process it started: '" + information + "'");
        }
        return Long.parseLong(found.group(1));
    }

    static String information(InputStream from) throws IOException {
        try (from) {
            return new String(from.readAllBytes(), UTF_8);
        }
    }

    private static PidfdProcess process(long pid) throws IOException {
        return PidfdProcess.open(pid)
                .orElseThrow(() -> new IOException("process " + pid + " of a sandbox ended before its command"));
    }

    ChildProcess outside() {
        return outside;
    }

    OutputStream stdin() {
        return outside.terminal().map(Terminal::input).orElseGet(() -> outside.to(SandboxLauncher.STDIN));
    }

    InputStream stdout() {
        return outside.terminal().map(Terminal::output).orElseGet(() -> outside.from(SandboxLauncher.STDOUT));
    }

    InputStream stderr() {
        return outside.terminal().isPresent() ? InputStream.nullInputStream() : outside.from(SandboxLauncher.STDERR);
    }

    PidfdProcess main() {
        return main;
    }

    /**
     * Returns the main process's id in its PID namespace; 2 by default, since the first process starts no other before
     * it.
     */
    long mainPidInside() {
        return ProcessFiles.status(main.pid(), "NSpid:")
                .map(numbers -> numbers.substring(numbers.lastIndexOf('\t') + 1))
                .map(Long::parseLong)
                .orElse(2L);
    }

    PidfdProcess first() {
        return first;
    }

    /**
     * Stops the outer bubblewrap: its exit, right after the main process's, would kill the other processes before they
     * are counted. The first process reaps the others meanwhile. Waits until it has closed the command's descriptors.
     */
    void keepOthers() {
        for (int check = 0; check < CHECKS; check++) {
            Optional<List<String>> open = ProcessFiles.descriptors(outside.pid());
            if (open.isEmpty()) {
                return; // it has exited, or runs as root
            }
            if (!open.get().contains(ANSWER)) {
                boolean unused = outside.signal(Signal.STOP);
                return;
            }
            LockSupport.parkNanos(BETWEEN_CHECKS_NANOS);
        }
    }

    /** Counts the processes that the exited main process has left running. */
    int others() {
        return hasOthers() ? countOthers() : 0;
    }

    /** Resumes the process outside, whose exit kills them. */
    void endOthers() {
        boolean unused = outside.signal(Signal.CONT);
    }

    /** Returns whether the first process, which inherits them, has a child besides the main process. */
    private boolean hasOthers() {
        try {
            return !Set.of("", Long.toString(main.pid())).contains(ProcessFiles.children(first.pid()));
        } catch (IOException unknown) {
            return true; // the kernel lists no children, or the first process has exited
        }
    }

    private int countOthers() {
        return (int) namespace().map(this::members).orElse(List.of()).stream()
                .filter(pid -> pid != main.pid())
                .map(PidfdProcess::open)
                .flatMap(Optional::stream)
                .filter(process -> {
                    try (process) {
                        return !process.awaitEnd(Duration.ZERO);
                    }
                })
                .count();
    }

    /**
     * Sends KILL to the namespace's first process, on which the kernel kills all others at once. Sends other signals to
     * every other process of the namespace. All are listed before the first receives the signal, so that processes that
     * a handler starts are not among them. Opens a pidfd of each process before checking its namespace, so that its id
     * cannot be reused in between.
     */
    @Override
    public boolean signal(Signal signal) {
        if (signal.equals(Signal.KILL)) {
            return kill();
        }
        Optional<Path> namespace = namespace();
        boolean reached = false;
        for (long pid : namespace.map(this::members).orElse(List.of())) {
            reached |= signalMember(pid, namespace.get(), signal);
        }
        return reached;
    }

    /**
     * Stops the first process before it sends SIGTERM to the others: the first would exit with the main process, often
     * a shell that only waits for a program, and the kernel would kill that program during its cleanup.
     */
    @Override
    public void terminate() {
        synchronized (this) {
            if (released.isDone() && first.signal(Signal.STOP)) {
                released = new CompletableFuture<>();
            }
        }
        ProcessTree.super.terminate();
        DaemonThreads.platform("paddock-bwrap-grace").start(() -> {
            awaitOthers();
            release();
        });
    }

    /** Waits until all others have exited, or the first is no longer stopped. */
    private void awaitOthers() {
        boolean any = true;
        while (any && !released().isDone()) {
            any = false;
            for (long pid : namespace().map(this::members).orElse(List.of())) {
                any |= awaitLiving(pid);
            }
        }
    }

    /** Waits briefly for a process to exit; returns false at once if it has. */
    private static boolean awaitLiving(long pid) {
        Optional<PidfdProcess> process = PidfdProcess.open(pid);
        try {
            if (process.isEmpty() || process.get().awaitEnd(Duration.ZERO)) {
                return false;
            }
            boolean unused = process.get().awaitEnd(POLL);
            return true;
        } finally {
            process.ifPresent(PidfdProcess::close);
        }
    }

    /** Resumes the first process, if it is stopped: it exits at once if the main process has. */
    private boolean release() {
        CompletableFuture<Void> released = released();
        boolean continues = !released.isDone() && first.signal(Signal.CONT);
        return released.complete(null) && continues;
    }

    private synchronized CompletableFuture<Void> released() {
        return released;
    }

    /**
     * Kills the first process; but if it is stopped and the main process has exited, lets it exit, so that the main
     * process's status is not lost.
     */
    private boolean kill() {
        boolean killed = (main.awaitEnd(Duration.ZERO) && release()) || first.signal(Signal.KILL);
        boolean unused = outside.signal(Signal.CONT);
        return killed;
    }

    /** Runs an action when the first process is not stopped: at once, or later on its own thread. */
    void whenReleased(Runnable action) {
        CompletableFuture<Void> released = released();
        if (released.isDone()) {
            action.run();
        } else {
            CompletableFuture<Void> unused = released.thenRunAsync(
                    action, task -> DaemonThreads.platform("paddock-bwrap-exit").start(task));
        }
    }

    private List<Long> members(Path namespace) {
        return ProcessFiles.processes().stream()
                .filter(pid -> pid != first.pid() && isMember(pid, namespace))
                .toList();
    }

    /** Returns the PID namespace; empty if the sandbox has ended, since its first process's id may have been reused. */
    private Optional<Path> namespace() {
        try {
            Path namespace = ProcessFiles.namespace(first.pid());
            return first.awaitEnd(Duration.ZERO) ? Optional.empty() : Optional.of(namespace);
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private static boolean signalMember(long pid, Path namespace, Signal signal) {
        Optional<PidfdProcess> held = PidfdProcess.open(pid);
        try {
            return held.filter(process -> isMember(pid, namespace) && process.signal(signal))
                    .isPresent();
        } finally {
            held.ifPresent(PidfdProcess::close);
        }
    }

    private static boolean isMember(long pid, Path namespace) {
        try {
            return ProcessFiles.namespace(pid).equals(namespace);
        } catch (IOException goneOrAnothers) {
            return false;
        }
    }

    /** Reports no survivors: the sandbox ends with its main process. */
    @Override
    public Optional<Set<Long>> leftovers() {
        return Optional.empty();
    }

    /**
     * Kills the rest of the sandbox, and returns a future that completes when its first process, the last, has exited.
     * If the kernel delays that, a thread waits for it.
     *
     * <p>Killing the process outside is not enough: bubblewrap starts the main process before it binds the first one to
     * the process outside, which may die in between.
     */
    synchronized CompletableFuture<Boolean> onEnd() {
        if (end.isEmpty()) {
            boolean unused = first.signal(Signal.KILL) && outside.signal(Signal.CONT);
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            end = Optional.of(ended);
            if (first.awaitEnd(DYING)) {
                ended.complete(true);
            } else {
                DaemonThreads.platform("paddock-bwrap-survivors").start(() -> {
                    while (!first.awaitEnd(FOLLOWING)) {
                        LOG.log(System.Logger.Level.WARNING, "A sandbox has not ended: " + describe());
                    }
                    ended.complete(true);
                });
            }
        }
        return end.get();
    }

    String describe() {
        List<Long> left = namespace().map(this::members).orElse(List.of());
        return left.isEmpty() ? "processes in the sandbox of process " + first.pid() : "processes " + left;
    }

    @Override
    public void close() {
        main.close();
        first.close();
    }
}
