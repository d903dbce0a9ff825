package dev.paddock.executor.landlock;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rules as the kernel holds them: made once for all launches that need the same, since opening fifty files costs as much
 * as the launch, and made again when other rules are asked for.
 */
final class Ruleset implements AutoCloseable {
    private static final int NONE = -1;

    private final LandlockKernel kernel;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private @Nullable LandlockRules rules;
    private int descriptor = NONE;

    Ruleset(LandlockKernel kernel) {
        this.kernel = kernel;
    }

    /**
     * Uses the rules' descriptor, which stays open meanwhile.
     *
     * @throws KernelFault if the kernel refuses the rules
     */
    <T> T with(LandlockRules wanted, IntFunction<T> use) throws KernelFault {
        lock.readLock().lock();
        try {
            if (wanted.equals(rules)) {
                return use.apply(descriptor);
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
            replace(wanted);
            lock.readLock().lock();
        } finally {
            lock.writeLock().unlock();
        }
        try {
            return use.apply(descriptor);
        } finally {
            lock.readLock().unlock();
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
