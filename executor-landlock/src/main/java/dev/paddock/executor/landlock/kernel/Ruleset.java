package dev.paddock.executor.landlock.kernel;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Caches the ruleset in the kernel for all launches with the same rules, since opening fifty files costs as much as the
 * launch. Replaces it when a launch needs other rules.
 */
public final class Ruleset implements AutoCloseable {
    private static final int NONE = -1;

    private final LandlockKernel kernel;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private @Nullable LandlockRules rules;
    private int descriptor = NONE;

    private final boolean once;

    public Ruleset(LandlockKernel kernel) {
        this(kernel, false);
    }

    private Ruleset(LandlockKernel kernel, boolean once) {
        this.kernel = kernel;
        this.once = once;
    }

    /**
     * Acquires the descriptor of a ruleset for a single launch.
     *
     * @throws KernelFault if the kernel rejects the rules
     */
    public static Held holdOnce(LandlockKernel kernel, LandlockRules wanted) throws KernelFault {
        return new Ruleset(kernel, true).hold(wanted);
    }

    /** The rules' descriptor, open until this is closed, by the thread that acquired it. */
    public final class Held implements AutoCloseable {
        public int descriptor() {
            return descriptor;
        }

        @Override
        public void close() {
            lock.readLock().unlock();
            if (once) {
                Ruleset.this.close();
            }
        }
    }

    /**
     * Acquires the rules' descriptor. The rules are not replaced until it is closed, so the calling thread must not
     * acquire other rules.
     *
     * @throws KernelFault if the kernel rejects the rules
     */
    @SuppressWarnings("LockNotBeforeTry") // released when the returned object is closed
    public Held hold(LandlockRules wanted) throws KernelFault {
        lock.readLock().lock();
        if (wanted.equals(rules)) {
            return new Held();
        }
        lock.readLock().unlock();
        lock.writeLock().lock();
        try {
            replace(wanted);
            lock.readLock().lock();
            return new Held();
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void replace(LandlockRules wanted) throws KernelFault {
        if (!wanted.equals(rules)) {
            int made = kernel.ruleset(wanted);
            release();
            descriptor = made;
            rules = wanted;
        }
    }

    private void release() {
        if (descriptor != NONE) {
            kernel.close(descriptor);
            descriptor = NONE;
            rules = null;
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            release();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
