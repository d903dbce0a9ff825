package dev.paddock.executor.process.io;

import dev.paddock.executor.ExecutorException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Waits for a launch despite interrupts: a launch is short and must not be abandoned halfway, so
 * the interrupt status is restored after it.
 */
public final class Uninterruptibles {

    private Uninterruptibles() {}

    /** Waits until a thread has ended. */
    public static void join(Thread thread) {
        uninterruptibly(() -> {
            thread.join();
            return thread;
        });
    }

    public static <T> T result(FutureTask<T> task) {
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
            throw new ExecutorException("a process could not be started: " + cause, failed);
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
