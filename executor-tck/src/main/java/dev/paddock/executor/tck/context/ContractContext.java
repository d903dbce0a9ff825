package dev.paddock.executor.tck.context;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.FarSide;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives one test its tools: starts commands, creates liveness probes, maps a directory's host path
 * to its command path, and cleans up. Safe to use from the threads of a test.
 */
public final class ContractContext implements AutoCloseable {

    /**
     * A variable in each command's environment, which its descendants inherit: the suite finds them
     * by it where it can read the host's process table.
     */
    public static final String TAG = "CONTRACT_TAG";

    /** The name of a parameterized test including its clause; JUnit's default has only the arguments. */
    public static final String NAME = "{displayName} [{index}] {argumentsWithNames}";

    private final Subjects subjects;
    private final Path directory;
    private final String tag = UUID.randomUUID().toString();
    private final ConcurrentLinkedDeque<ProcessLike> started = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedDeque<Closeable> held = new ConcurrentLinkedDeque<>();
    private final AtomicInteger names = new AtomicInteger();
    private Optional<String> never = Optional.empty();
    private volatile boolean failed;

    ContractContext(Subjects subjects, Path directory) {
        this.subjects = subjects;
        this.directory = directory;
    }

    /** Returns the subject that most tests share. */
    public ContractSubject subject() {
        return subjects.shared();
    }

    public CommandExecutor executor() {
        return subject().executor();
    }

    public Duration patience() {
        return subject().patience();
    }

    /** Returns how much unread output may be buffered. */
    public long transportBytes() {
        return subject().transportBytes();
    }

    /** Returns how often to repeat an attempt that could pass by chance. */
    public int times(int inFull) {
        return subject().isFurtherRun() ? Math.max(1, inFull / 5) : inFull;
    }

    /** Creates another subject over the same shared directory, only for this test. */
    public ContractSubject fresh() throws Exception {
        ContractSubject made = subjects.make();
        held.push(made.executor()::dispose);
        return made;
    }

    /** Returns another executor over the same shared directory, which the class's tests share and do not dispose of. */
    public CommandExecutor otherExecutor() throws Exception {
        return subjects.other().executor();
    }

    public ContractEnvironment environment() {
        return subjects.environment();
    }

    public Class<?> implementer() {
        return subjects.implementer();
    }

    /** Returns the main class of a JVM that creates its own subject and spawns commands. */
    public Class<?> childProgram() {
        return subjects.childProgram();
    }

    public String tag() {
        return tag;
    }

    /** Returns what a provider claims here; it is asked once for the class, since a probe may start a sandbox. */
    public Set<Guarantee> probed(ExecutorProvider provider) {
        return subjects.probed(provider);
    }

    public boolean claims(Guarantee guarantee) {
        return executor().guarantees().contains(guarantee);
    }

    public void assumeClaimed(Guarantee guarantee) {
        assumeTrue(claims(guarantee), () -> executor().name() + " does not claim " + guarantee);
    }

    void assumeUnclaimed(Guarantee guarantee) {
        assumeFalse(claims(guarantee), () -> executor().name() + " claims " + guarantee);
    }

    /** Skips the test if the command's side lacks a program. */
    public void assumeTools(String... programs) throws InterruptedException {
        for (String program : programs) {
            assumeTrue(
                    subjects.hasTool(program),
                    () -> "there is no '" + program + "' where " + executor().name() + " runs its commands");
        }
    }

    public boolean hasTools(List<String> programs) throws InterruptedException {
        for (String program : programs) {
            if (!subjects.hasTool(program)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Skips the test for a descendant that the executor does not promise to reach, or that cannot
     * be started there.
     */
    public void assumeReach(Descendant kind) throws InterruptedException {
        assumeTools(kind.tools().toArray(String[]::new));
        if (kind.needsTreeKill()) {
            assumeClaimed(Guarantee.TREE_KILL);
        }
    }

    // Files

    /**
     * Returns the host path of a name in this test's directory; skips the test if the host does not
     * share it.
     */
    public Path hostPath(String name) {
        assumeTrue(subject().sharesFiles(), "the host does not share the commands' files");
        return directory.resolve(name);
    }

    /**
     * Returns the host path of a name in this test's directory, for the worktree of an executor of the
     * provider; skips the test if such executors do not work on host files.
     */
    public Path worktree(String name) {
        assumeTrue(subject().sharesFiles() || executor().worktree().isPresent(), "the executor works on no host files");
        return directory.resolve(name);
    }

    /** Returns a new file of the host in which the suite keeps a log. */
    public Path log(String name) {
        return directory.resolve(name);
    }

    /** Returns whether a file exists in this test's directory, as the far side sees it. */
    public boolean exists(String name) {
        try {
            byte[] unused = read(name);
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        } catch (IOException fault) {
            throw new UncheckedIOException("the file '" + name + "' cannot be checked for existence", fault);
        }
    }

    /** Reads a file in this test's directory. */
    public byte[] read(String name) throws IOException {
        return subject().farSide().read(commandPath(name));
    }

    /** Writes a file in this test's directory. */
    public void write(String name, byte[] content) throws IOException {
        subject().farSide().write(commandPath(name), content);
    }

    /** Creates a named pipe in this test's directory, from which commands read when it is released. */
    public FarSide.Pipe gate(String name) throws IOException {
        FarSide.Pipe gate = subject().farSide().holdOpen(commandPath(name));
        held.push(gate);
        return gate;
    }

    /** Returns the command path of a name in this test's directory. */
    public String commandPath(String name) {
        return subjects.commandPath(directory) + "/" + name;
    }

    public String cwd() {
        return subjects.commandPath(directory);
    }

    public TreeLivenessProbe probe() throws IOException {
        String name = "probe-" + names.incrementAndGet();
        TreeLivenessProbe probe = new TreeLivenessProbe(subject().farSide(), commandPath(name));
        held.push(probe);
        return probe;
    }

    /**
     * Returns shell code for a word that names a pipe without input, the same for all of the test's
     * processes: a process that reads it blocks.
     */
    public synchronized String never() throws IOException {
        if (never.isEmpty()) {
            FarSide.Pipe unused = gate("never");
            never = Optional.of(ShellQuoting.posix(commandPath("never")));
        }
        return never.get();
    }

    // Commands

    public SpawnOptions.Builder options() {
        return SpawnOptions.builder(cwd()).env(TAG, tag);
    }

    /**
     * Spawns from a thread that exits afterwards, as a pool's thread may: no command may depend on
     * it. The bounded wait also detects a spawn that waits for its command.
     */
    public ProcessLike spawn(CommandExecutor executor, String command, SpawnOptions options) {
        FutureTask<ProcessLike> spawning = new FutureTask<>(() -> executor.spawn(command, options));
        Thread.ofPlatform().daemon().name("contract spawns").start(spawning);
        try {
            ProcessLike process = spawning.get(patience().toMillis(), TimeUnit.MILLISECONDS);
            started.push(process);
            return process;
        } catch (ExecutionException failed) {
            throw asThrown(failed);
        } catch (TimeoutException late) {
            throw new AssertionError("spawn did not return within " + patience().toMillis() + " ms", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while spawning", stopped);
        }
    }

    private static RuntimeException asThrown(ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
            throw error;
        }
        return failed.getCause() instanceof RuntimeException thrown
                ? thrown
                : new IllegalStateException("spawn threw a checked exception", failed);
    }

    public ProcessLike spawn(String command, SpawnOptions.Builder options) {
        return spawn(executor(), command, options.build());
    }

    public Running start(CommandExecutor executor, String command, SpawnOptions.Builder options) {
        return new Running(spawn(executor, command, options.build()), patience());
    }

    public Running start(String command, SpawnOptions.Builder options) {
        return start(executor(), command, options);
    }

    public Running start(String command) {
        return start(command, options());
    }

    public Outcome run(String command, SpawnOptions.Builder options) throws InterruptedException {
        return start(command, options).outcome();
    }

    public Outcome run(String command) throws InterruptedException {
        return run(command, options());
    }

    /**
     * Drops references to the commands that have exited, so that thousands of them are not
     * retained.
     */
    public void forgetEnded() {
        started.removeIf(process -> process.onExit().toCompletableFuture().isDone());
    }

    /** Says that the test has not passed, so that its executor may have left anything. */
    public void fail() {
        failed = true;
    }

    /**
     * Returns whether nothing can be left: the test has passed, no process could wait at a pipe of the test, and each
     * command has closed.
     */
    private boolean leavesNothing() {
        return !failed
                && held.isEmpty()
                && started.stream()
                        .allMatch(process ->
                                process.onClosed().toCompletableFuture().isDone());
    }

    /**
     * Kills every process that the test left, whatever its state. The class's cleanup removes
     * its files.
     */
    @Override
    public void close() throws IOException {
        if (leavesNothing()) {
            return;
        }
        for (ProcessLike process : started) {
            if (!process.onExit().toCompletableFuture().isDone()) {
                process.kill(Signal.KILL);
            }
        }
        IOException faults = new IOException("the cleanup after the test failed");
        for (Closeable resource : held) {
            try {
                resource.close();
            } catch (IOException | RuntimeException fault) {
                faults.addSuppressed(fault);
            }
        }
        for (ProcessHandle survivor : Processes.tagged(tag)) {
            survivor.destroyForcibly();
        }
        if (faults.getSuppressed().length > 0) {
            throw faults;
        }
    }
}
