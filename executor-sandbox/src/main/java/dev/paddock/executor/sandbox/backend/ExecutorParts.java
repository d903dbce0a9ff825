package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Uninterruptibles;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.policy.RealPaths;
import dev.paddock.executor.variable.ShellVariables;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Collects the parts of an executor, created in sequence or concurrently. Closes them at disposal, or if one cannot be
 * created, the last one first.
 */
public final class ExecutorParts implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(ExecutorParts.class);

    /** Receives the parts of each executor that the thread assembles, before the first part exists. */
    private static final ThreadLocal<Consumer<ExecutorParts>> OBSERVER = ThreadLocal.withInitial(() -> parts -> {});

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    private ExecutorParts() {}

    @FunctionalInterface
    public interface Assembly<T> {
        /**
         * Creates the executor.
         *
         * @param parts collects each part
         * @return the executor, which then owns its parts
         * @throws IOException if a part cannot be created
         */
        T of(ExecutorParts parts) throws IOException;
    }

    /**
     * Creates an executor; on failure closes the parts created so far, the last one first.
     *
     * @param assembly creates it
     * @param <T> the executor
     * @throws ExecutorException if a part cannot be created
     */
    public static <T> T assemble(Assembly<T> assembly) {
        ExecutorParts parts = new ExecutorParts();
        OBSERVER.get().accept(parts);
        boolean complete = false;
        try {
            T whole = assembly.of(parts);
            complete = true;
            return whole;
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the executor's own files could not be created: " + FileFaults.reason(fault), fault);
        } finally {
            if (!complete) {
                parts.undo();
            }
        }
    }

    /**
     * Creates an executor, and reports its parts meanwhile: another thread that closes them ends a creation that hangs.
     *
     * @param observer receives the parts of each executor that is assembled
     * @param creation creates the executor on the calling thread
     */
    static <T> T observed(Consumer<ExecutorParts> observer, Supplier<T> creation) {
        OBSERVER.set(observer);
        try {
            return creation.get();
        } finally {
            OBSERVER.remove();
        }
    }

    /**
     * Registers a part to be closed, and returns it.
     *
     * @param <T> its type
     */
    public synchronized <T extends AutoCloseable> T keep(T part) {
        made.push(part);
        return part;
    }

    /**
     * Starts creating a part on its own thread, while the caller creates others. Registers it for closing at once;
     * closing waits until it is created.
     *
     * @param thread the thread's name
     * @param creation creates the part
     * @param <T> its type
     * @return a handle that waits for the part
     */
    public <T extends AutoCloseable> Begun<T> begin(String thread, Callable<T> creation) {
        Begun<T> begun = keep(new Begun<>(creation));
        DaemonThreads.platform(thread).start(begun.creation);
        return begun;
    }

    /**
     * Starts opening the worktree's guard, which reads the whole worktree.
     *
     * @param worktree its real path
     * @param options name the protected paths, the mounts and the quarantine
     * @param stateDirectory as for {@link WorktreeGuard#open(Path, dev.paddock.executor.policy.ProtectedPaths, Path,
     *     Path)}; a part that is registered already
     */
    public Begun<WorktreeGuard> guard(Path worktree, SandboxOptions options, Path stateDirectory) {
        return begin(
                "paddock-guard",
                () -> WorktreeGuard.open(
                        worktree,
                        options.policy().protectedPaths(),
                        stateDirectory,
                        options.quarantine(),
                        options.policy().mounts(),
                        container -> false));
    }

    /**
     * A part that a thread creates.
     *
     * @param <T> its type
     */
    public static final class Begun<T extends AutoCloseable> implements AutoCloseable {
        private final FutureTask<T> creation;

        private Begun(Callable<T> creation) {
            this.creation = new FutureTask<>(creation);
        }

        /**
         * Waits for the part.
         *
         * @return the part, which its executor's parts close
         * @throws RuntimeException what its creation threw; a checked exception as the cause of an {@link
         *     ExecutorException}
         */
        public T await() {
            return Uninterruptibles.result(creation, "a part of the executor could not be created");
        }

        /** Waits for the part, and closes it if it was created. */
        @Override
        public void close() {
            T part;
            try {
                part = await();
            } catch (RuntimeException | Error fault) { // await() throws it, too
                LOG.log(Level.DEBUG, "A part of an executor was not created", fault);
                return;
            }
            ExecutorParts.close(part);
        }
    }

    private void undo() {
        try {
            close();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "A part of an executor that could not be created could not be closed", fault);
        }
    }

    /**
     * Closes all parts, even if one fails. A second call waits for the first.
     *
     * @throws RuntimeException the first failure, with the others suppressed
     */
    @Override
    public synchronized void close() {
        List<RuntimeException> faults = new ArrayList<>();
        while (!made.isEmpty()) {
            try {
                close(made.pop());
            } catch (RuntimeException fault) {
                faults.add(fault);
            }
        }
        if (!faults.isEmpty()) {
            RuntimeException first = faults.removeFirst();
            faults.forEach(first::addSuppressed);
            throw first;
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new ExecutorException("a part of the executor could not be closed: " + fault.getMessage(), fault);
        }
    }

    /**
     * Returns the worktree's real path. Warns if commands cannot write to it because it is another user's.
     *
     * @param policy names the worktree
     * @throws IllegalArgumentException if the worktree is no directory
     */
    public static Path worktree(SandboxPolicy policy) {
        Path worktree = RealPaths.of(policy.worktree().hostPath());
        if (!Files.isDirectory(worktree)) {
            throw new IllegalArgumentException(
                    "the worktree is no directory, or does not exist: '" + worktree + "'; create it, or name another");
        }
        ForeignWorktree.report(worktree);
        return worktree;
    }

    /**
     * Returns the variables that a policy grants, except those that some shells drop, and those that make git accept
     * another user's worktree.
     *
     * @return names and values, in order; mutable
     * @throws dev.paddock.executor.SpawnException if no program could be started with one of them
     */
    public static Map<String, String> variables(SandboxPolicy policy) {
        Map<String, String> variables = new TreeMap<>(policy.environment().resolve(HostEnvironment.all()));
        variables.keySet().removeIf(name -> !ShellVariables.isIdentifier(name));
        if (!variables.containsKey("GIT_CONFIG_COUNT")
                && ForeignWorktree.find(policy.worktree().hostPath()).isPresent()) {
            variables.putAll(ForeignWorktree.GIT);
        }
        variables.forEach(CommandRequest::requireVariable);
        return variables;
    }
}
