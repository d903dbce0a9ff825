package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.process.io.Uninterruptibles;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where a process is started from. To the kernel that makes a difference: a parent-death signal follows the
 * <em>thread</em> that started the process, and confinement is inherited from it.
 *
 * <p>Launching creates no Java thread, waits for nothing and reads nothing on this thread: whoever confines it first, lets
 * it launch and then end leaves no confined thread behind.
 */
public interface LaunchThread extends AutoCloseable {

    /**
     * Runs a launch and waits for it, whether or not the calling thread is interrupted meanwhile.
     *
     * @param launch what to run
     * @param <T> what it makes
     * @return what it made
     * @throws RuntimeException what the launch threw; a checked exception as the cause of an {@link ExecutorException}
     */
    <T> T call(Callable<T> launch);

    /** Ends the thread, if it is one of its own. By default does nothing. */
    @Override
    default void close() {}

    /**
     * The calling thread.
     *
     * @return the launch thread
     */
    static LaunchThread direct() {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                FutureTask<T> task = new FutureTask<>(launch);
                task.run();
                return Uninterruptibles.result(task);
            }
        };
    }

    /**
     * One thread for all launches, which lives until it is closed, or as long as the JVM: for processes that are to die
     * with their parent thread. Launches wait for one another.
     *
     * @param name the thread's name
     * @return the launch thread; owned by the caller
     */
    static LaunchThread lasting(String name) {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name(name).factory());
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                FutureTask<T> task = new FutureTask<>(launch);
                try {
                    thread.execute(task);
                } catch (RejectedExecutionException closed) {
                    throw new ExecutorException("the thread that starts processes has been closed: " + name, closed);
                }
                return Uninterruptibles.result(task);
            }

            @Override
            public void close() {
                thread.shutdown();
            }
        };
    }
}
