package dev.paddock.executor;

import dev.paddock.executor.run.ChunkHandler;
import dev.paddock.executor.run.LineHandler;
import dev.paddock.executor.run.OutputSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls a run's callbacks one at a time, each on the thread that has read the output: the readers of
 * standard output and standard error take turns by a lock. The first exception of a callback
 * disables it.
 */
final class RunCallbacks {
    private final RunOptions options;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<String> disabled = new HashSet<>();
    private final List<Throwable> errors = new ArrayList<>();
    private boolean cut;

    RunCallbacks(RunOptions options) {
        this.options = options;
    }

    void chunk(OutputSource from, byte[] bytes) {
        options.onChunk().ifPresent((ChunkHandler handler) -> call("onChunk", () -> handler.chunk(from, bytes)));
    }

    void line(OutputSource from, String line) {
        options.onLine().ifPresent((LineHandler handler) -> call("onLine", () -> handler.line(from, line)));
    }

    /** Runs an action unless it is disabled; its first fault is recorded and disables it. */
    void call(String name, Action action) {
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException cutOff) {
            return;
        }
        try {
            if (enabled(name)) {
                action.run();
            }
        } catch (Throwable fault) { // whatever a callback throws, draining goes on
            fail(name, fault);
        } finally {
            turn.unlock();
        }
    }

    /** Records a fault, unless the result has been made already. */
    synchronized void fail(String name, Throwable fault) {
        if (!cut && disabled.add(name)) {
            errors.add(fault);
        }
    }

    private synchronized boolean enabled(String name) {
        return !cut && !disabled.contains(name);
    }

    /** Stops further calls and the recording of faults. */
    synchronized List<Throwable> cut() {
        cut = true;
        return List.copyOf(errors);
    }

    /** A callback that may throw. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }
}
