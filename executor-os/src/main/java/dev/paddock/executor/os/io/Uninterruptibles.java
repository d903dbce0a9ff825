package dev.paddock.executor.os.io;

import dev.paddock.executor.ExecutorException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Waits despite interrupts for short tasks that must not be abandoned halfway, such as a launch; then restores the
 * interrupt status.
 */
public final class Uninterruptibles {

    private Uninterruptibles() {}

    public static void join(Thread thread) {
        uninterruptibly(() -> {
            thread.join();
            return thread;
        });
    }

    /**
     * Waits for a task's result.
     *
     * @param failure the message of the exception that wraps a checked exception of the task
     */
    public static <T> T result(FutureTask<T> task, String failure) {
        try {
            return uninterruptibly(task::get);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof RuntimeException fault) {
                throw fault;
            }
            if (cause instanceof Error fault) {
                throw fault;
            }
            throw new ExecutorException(failure + ": " + cause, failed);
        }
    }

    private interface Wait<T, X extends Exception> {
        T await() throws InterruptedException, X;
    }

    private static <T, X extends Exception> T uninterruptibly(Wait<T, X> wait) throws X {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.await();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
