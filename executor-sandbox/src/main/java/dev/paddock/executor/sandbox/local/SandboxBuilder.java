package dev.paddock.executor.sandbox.local;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.Quarantine;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Collects the options of an executor that runs each command in a sandbox. Besides the options of
 * {@link ExecutorBuilder}: a worktree under the default policy, or a policy; and the quarantine, by
 * default {@code $XDG_STATE_HOME/paddock/quarantine}.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public abstract class SandboxBuilder<B extends SandboxBuilder<B>> extends ExecutorBuilder<B> {
    private Optional<Path> worktree = Optional.empty();
    private Optional<String> execCwd = Optional.empty();
    private Optional<SandboxPolicy> policy = Optional.empty();
    private Optional<Path> quarantine = Optional.empty();

    /** Creates a builder with the defaults. */
    protected SandboxBuilder() {}

    /**
     * Sets the directory that commands work in, under the default policy. Not together with {@link
     * #policy(SandboxPolicy)}.
     *
     * @param value a directory of the host, absolute
     * @return this builder
     */
    public B worktree(Path value) {
        worktree = Optional.of(value);
        return self();
    }

    /**
     * Sets where commands see the worktree; by default at its own path. Not together with {@link
     * #policy(SandboxPolicy)}. Building fails if the sandbox maps no paths and this is another path.
     *
     * @param value a command-side path, absolute
     * @return this builder
     */
    public B execCwd(String value) {
        execCwd = Optional.of(value);
        return self();
    }

    /**
     * Sets the policy, which includes the worktree.
     *
     * @param value the policy
     * @return this builder
     */
    public B policy(SandboxPolicy value) {
        policy = Optional.of(value);
        return self();
    }

    /**
     * Sets the directory that receives files which commands add at protected paths, in a subdirectory for each executor
     * that quarantines a file.
     *
     * @param directory outside the directories that commands can write to; created when needed, and left for the user
     * @return this builder
     */
    public B quarantine(Path directory) {
        quarantine = Optional.of(directory);
        return self();
    }

    /**
     * Returns the complete options.
     *
     * @throws IllegalArgumentException if neither a worktree nor a policy is set, or a policy is set together with a
     *     worktree or an {@code execCwd}
     */
    protected final SandboxOptions options() {
        if (policy.isPresent() && (worktree.isPresent() || execCwd.isPresent())) {
            throw new IllegalArgumentException(
                    "the policy names the worktree already: set either the policy, or worktree and execCwd");
        }
        return new SandboxOptions(
                policy.orElseGet(this::defaultPolicy),
                quarantine.orElseGet(Quarantine::standard),
                shell(),
                warmSlots());
    }

    private SandboxPolicy defaultPolicy() {
        Path directory = worktree.orElseThrow(
                () -> new IllegalArgumentException("set the worktree, or a policy: commands need a directory"));
        return SandboxPolicy.builder(execCwd.map(path -> new PathMapping(directory, path))
                        .orElseGet(() -> PathMapping.same(directory)))
                .build();
    }
}
