package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Uninterruptibles;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that starts a process. It matters to the kernel: a parent-death signal is sent when the <em>thread</em>
 * that started the process exits, and the process inherits that thread's confinement.
 *
 * <p>A launch creates no Java thread, and does not wait or read on this thread: a caller that confines the thread,
 * launches on it and ends it leaves no confined thread behind.
 *
 * @since 0.1
 */
public interface LaunchThread extends AutoCloseable {

    /**
     * Runs a launch and waits for it, even if the calling thread is interrupted.
     *
     * @param launch the launch
     * @param <T> the type of its result
     * @return its result
     * @throws RuntimeException what the launch threw; a checked exception as the cause of an {@link ExecutorException}
     */
    <T> T call(Callable<T> launch);

    /** Ends the thread, if it is dedicated. Does nothing by default. */
    @Override
    default void close() {}

    /**
     * Returns the calling thread as the launch thread.
     *
     * @return the launch thread
     */
    static LaunchThread direct() {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                FutureTask<T> task = new FutureTask<>(launch);
                task.run();
                return Uninterruptibles.result(task, "a process could not be started");
            }
        };
    }

    /**
     * Starts one thread for all launches, which runs until it is closed or the JVM exits: for processes that must die
     * with their parent thread. Launches run one after the other.
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
                DaemonThreads.platform(name).factory());
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                FutureTask<T> task = new FutureTask<>(launch);
                try {
                    thread.execute(task);
                } catch (RejectedExecutionException closed) {
                    throw new ExecutorException("the thread that starts processes has been closed: " + name, closed);
                }
                return Uninterruptibles.result(task, "a process could not be started");
            }

            @Override
            public void close() {
                thread.shutdown();
            }
        };
    }
}
