package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.policy.ShellVariables;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.policy.RealPaths;
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

/**
 * The parts of an executor, created one after the other. If one cannot be created, or at disposal,
 * they are closed, the last one first.
 */
public final class ExecutorParts implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(ExecutorParts.class);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    private ExecutorParts() {}

    /**
     * Creates an executor from its parts.
     *
     * @param <T> the executor
     */
    @FunctionalInterface
    public interface Assembly<T> {
        /**
         * Creates the executor.
         *
         * @param parts collects each part
         * @return the executor, which owns its parts from now on
         * @throws IOException if a part cannot be created
         */
        T of(ExecutorParts parts) throws IOException;
    }

    /**
     * Creates an executor; on failure closes the parts created so far, the last one first.
     *
     * @param assembly creates it
     * @param <T> the executor
     * @return the executor
     * @throws ExecutorException if a part cannot be created
     */
    public static <T> T assemble(Assembly<T> assembly) {
        ExecutorParts parts = new ExecutorParts();
        boolean complete = false;
        try {
            T whole = assembly.of(parts);
            complete = true;
            return whole;
        } catch (IOException fault) {
            throw new ExecutorException("the executor's own files could not be created: " + fault, fault);
        } finally {
            if (!complete) {
                parts.undo();
            }
        }
    }

    /**
     * Registers a part to be closed.
     *
     * @param part the part
     * @param <T> its type
     * @return the part
     */
    public synchronized <T extends AutoCloseable> T keep(T part) {
        made.push(part);
        return part;
    }

    private void undo() {
        try {
            close();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "A part of an executor that could not be created could not be closed", fault);
        }
    }

    /**
     * Closes the parts, all of them even if one fails. A second call waits for the first.
     *
     * @throws RuntimeException the first failure, with the others suppressed
     */
    @Override
    public synchronized void close() {
        List<RuntimeException> faults = new ArrayList<>();
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RuntimeException fault) {
                faults.add(fault);
            } catch (Exception fault) {
                faults.add(new ExecutorException(
                        "a part of the executor could not be closed: " + fault.getMessage(), fault));
            }
        }
        if (!faults.isEmpty()) {
            RuntimeException first = faults.removeFirst();
            faults.forEach(first::addSuppressed);
            throw first;
        }
    }

    /**
     * Returns the worktree's real path.
     *
     * @param policy names the worktree
     * @return the path without links
     * @throws IllegalArgumentException if the worktree is no directory
     */
    public static Path worktree(SandboxPolicy policy) {
        Path worktree = RealPaths.of(policy.worktree().hostPath());
        if (!Files.isDirectory(worktree)) {
            throw new IllegalArgumentException(
                    "the worktree is no directory, or does not exist: '" + worktree + "'; create it, or name another");
        }
        return worktree;
    }

    /**
     * Returns the variables that a policy grants, without those that some shells drop.
     *
     * @param policy the policy
     * @return names and values, in order; the caller may change it
     * @throws dev.paddock.executor.SpawnException if no program could be started with one of them
     */
    public static Map<String, String> variables(SandboxPolicy policy) {
        Map<String, String> variables = new TreeMap<>(policy.environment().resolve(HostEnvironment.all()));
        variables.keySet().removeIf(name -> !ShellVariables.isIdentifier(name));
        variables.forEach(CommandRequest::requireVariable);
        return variables;
    }
}
