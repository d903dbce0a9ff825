package dev.paddock.executor.remote.builder;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.worktree.Quarantine;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the options of an executor whose commands run in a container, in a pod or on another host. Not
 * thread-safe. Only the builders of Paddock's own executors extend it.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public abstract class RemoteExecutorBuilder<B extends RemoteExecutorBuilder<B>> {
    /** Set by {@link ContainerExecutorBuilder}; empty on a host, as is the policy. */
    Optional<String> image = Optional.empty();

    Optional<SandboxPolicy> policy = Optional.empty();

    private final Map<String, String> environment = new LinkedHashMap<>();
    private Optional<Path> worktree = Optional.empty();
    private Path quarantine = Quarantine.standard();
    private boolean isQuarantineNamed;
    private int warmSlots = WarmPool.Settings.DEFAULT_SIZE;

    /** Creates a builder with the defaults. */
    protected RemoteExecutorBuilder() {}

    /**
     * Sets a variable for each command, overriding the remote system's value.
     *
     * @param name its name
     * @param value its value
     * @return this builder
     */
    public B env(String name, String value) {
        environment.put(name, value);
        return self();
    }

    /**
     * Sets variables for each command, overriding the remote system's values.
     *
     * @param variables names and values; further calls add to them
     * @return this builder
     */
    public B env(Map<String, String> variables) {
        environment.putAll(variables);
        return self();
    }

    /**
     * Sets the worktree: the directory of this machine that commands work in.
     *
     * @param value an existing directory; none by default
     * @return this builder
     */
    public B worktree(Path value) {
        worktree = Optional.of(value);
        return self();
    }

    /**
     * Sets the quarantine directory, which receives files that commands wrote to protected paths of the worktree, and,
     * of a synchronized worktree, the commands' versions of files that the host changed meanwhile.
     *
     * @param value a directory that commands cannot reach, created when needed; {@code
     *     $XDG_STATE_HOME/paddock/quarantine} by default
     * @return this builder
     */
    public B quarantine(Path value) {
        quarantine = value.toAbsolutePath();
        isQuarantineNamed = true;
        return self();
    }

    /**
     * Sets the number of warm slots: shells that are started beforehand and wait for a command. Each takes two or three
     * remote processes.
     *
     * @param value from 0, for none, to 16; 2 by default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public B warmSlots(int value) {
        warmSlots = WarmPool.Settings.requireSize(value);
        return self();
    }

    /**
     * Returns this builder.
     *
     * @return {@code this}
     */
    protected abstract B self();

    /** {@return the current options} */
    protected final RemoteOptions options() {
        return new RemoteOptions(image, policy, worktree, environment, quarantine, isQuarantineNamed, warmSlots);
    }
}
