package dev.paddock.executor.sandbox.local;

import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.warm.WarmPool;

/**
 * Collects the options of an executor of this machine: the shell, {@code /bin/sh} by default, and the number of warm
 * slots, 2 by default. Not thread-safe. Only the builders of Paddock's own executors extend it.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public abstract class ExecutorBuilder<B extends ExecutorBuilder<B>> {
    private String shell = HostEnvironment.SHELL;
    private int warmSlots = WarmPool.Settings.DEFAULT_SIZE;

    /** Creates a builder with the defaults. */
    protected ExecutorBuilder() {}

    /**
     * Sets the commands' shell.
     *
     * @param program the absolute path of a POSIX shell, as commands see it; the host executor also takes a name on the
     *     JVM's {@code PATH}
     * @return this builder
     */
    public B shell(String program) {
        shell = program;
        return self();
    }

    /**
     * Sets the number of warm slots: stubs that are started beforehand, in a sandbox if the executor has one, and wait
     * for a command.
     *
     * @param number from 0, for none, to {@link WarmPool.Settings#MAX_SLOTS}
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public B warmSlots(int number) {
        warmSlots = WarmPool.Settings.requireSize(number);
        return self();
    }

    /**
     * Returns this builder.
     *
     * @return {@code this}
     */
    protected abstract B self();

    /** {@return the commands' shell} */
    protected final String shell() {
        return shell;
    }

    /** {@return the number of warm slots} */
    protected final int warmSlots() {
        return warmSlots;
    }
}
