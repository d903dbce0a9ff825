package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.Errno;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs on the thread of a {@link ConfinedLaunch}: receives its rules, confines itself, launches and exits. The thread
 * is unconfined until it has its rules, and may have started long before.
 *
 * <p>Uses no lambdas and no formatted strings: those need classes that cannot be loaded once the thread is confined.
 */
final class LaunchAttempt implements Runnable {
    private static final long STACK_BYTES = 512 << 10;

    private final LandlockKernel kernel;
    private volatile @Nullable Rules rules;
    private volatile @Nullable LaunchTask<?> task;
    private volatile boolean cancelled;
    private long kernelThread;
    private int refusal;
    private @Nullable Throwable fault;

    /**
     * The confinement of a thread.
     *
     * @param ruleset the rules' descriptor; if negative, nothing is confined
     * @param preparation runs first on the thread
     */
    record Rules(int ruleset, Program filter, Runnable preparation) {
        static final Rules NONE = new Rules(-1, Program.of(new byte[0]), () -> {});
    }

    /** A launch and its result. */
    static final class LaunchTask<T> {
        private final Callable<T> launch;
        private @Nullable T made;

        LaunchTask(Callable<T> launch) {
            this.launch = launch;
        }

        void run() throws Exception {
            made = launch.call();
        }
    }

    LaunchAttempt(LandlockKernel kernel) {
        this.kernel = kernel;
    }

    /** Creates the attempt's thread, which the caller starts. */
    public Thread thread() {
        return DaemonThreads.platform("paddock-landlock-launch")
                .stackSize(STACK_BYTES)
                .unstarted(this);
    }

    /** Sets the rules. The caller then unparks the thread ({@link LockSupport#unpark}), as for the next two methods. */
    void confineTo(Rules wanted) {
        rules = wanted;
    }

    void launch(LaunchTask<?> next) {
        task = next;
    }

    void cancel() {
        cancelled = true;
    }

    boolean hasTask() {
        return task != null;
    }

    @Override
    public void run() {
        try {
            kernelThread = kernel.thread();
            Rules wanted = awaitRules();
            if (wanted == null) {
                return;
            }
            wanted.preparation().run();
            if (wanted.ruleset() >= 0) {
                refusal = kernel.confine(wanted.ruleset(), wanted.filter());
            }
            LaunchTask<?> next = awaitTask();
            if (refusal == 0 && next != null) {
                next.run();
            }
        } catch (Throwable thrown) { // an Error too: result() throws it again on the caller's thread
            fault = thrown;
        }
    }

    private @Nullable Rules awaitRules() {
        while (rules == null && !cancelled) {
            await();
        }
        return rules;
    }

    private @Nullable LaunchTask<?> awaitTask() {
        while (task == null && !cancelled) {
            await();
        }
        return task;
    }

    private void await() {
        LockSupport.park(this);
    }

    /** Parks the calling thread without blocking it, which links the call. */
    void preloadWait() {
        LockSupport.unpark(Thread.currentThread());
        await();
    }

    /** Returns the kernel's id of the thread. Call it after the thread has exited. */
    long kernelThread() {
        return kernelThread;
    }

    /** Returns the launched process or throws the launch's failure. Call it after the thread has exited. */
    <T> T result(LaunchTask<T> launched) {
        if (refusal != 0) {
            throw new SandboxUnavailableException(
                    LandlockExecutor.NAME,
                    new Availability.Unusable(
                            "the kernel refuses to confine a thread: " + Errno.text(-refusal),
                            "Check the kernel's log, or use another backend."));
        }
        if (fault instanceof RuntimeException thrown) {
            throw thrown;
        }
        if (fault instanceof Error thrown) {
            throw thrown;
        }
        if (fault != null) {
            throw new ExecutorException("a process could not be started: " + fault, fault);
        }
        return Objects.requireNonNull(launched.made);
    }
}
