package dev.paddock.executor.remote.builder;

import dev.paddock.executor.policy.SandboxPolicy;
import java.util.Optional;

/**
 * Collects the options of an executor that creates a container or a pod for its commands.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public abstract class ContainerExecutorBuilder<B extends ContainerExecutorBuilder<B>> extends RemoteExecutorBuilder<B> {
    private boolean eager;

    /** Creates a builder with the defaults. */
    protected ContainerExecutorBuilder() {}

    /**
     * Runs commands in a new container or pod of an image.
     *
     * @param value the image's name, as for {@code docker run}; there is no default
     * @return this builder
     * @throws IllegalArgumentException if it is blank, or resembles an option
     */
    public B image(String value) {
        if (value.isBlank() || value.startsWith("-") || !value.equals(value.strip())) {
            throw new IllegalArgumentException("not an image name: '" + value + "'");
        }
        image = Optional.of(value);
        return self();
    }

    /**
     * Sets the policy that the container or pod enforces. It names the worktree's path on both sides: omit {@link
     * #worktree(java.nio.file.Path)}.
     *
     * @param value the policy
     * @return this builder
     */
    public B policy(SandboxPolicy value) {
        policy = Optional.of(value);
        return self();
    }

    /**
     * Creates the container or pod when the executor is built, and waits for it, instead of at the first command.
     *
     * @return this builder
     */
    public B eager() {
        eager = true;
        return self();
    }

    /**
     * Returns whether the container or pod is created when the executor is built.
     *
     * @return false by default
     */
    protected final boolean isEager() {
        return eager;
    }
}
