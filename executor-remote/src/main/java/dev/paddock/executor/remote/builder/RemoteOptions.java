package dev.paddock.executor.remote.builder;

import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The options that a {@link RemoteExecutorBuilder} has collected. Only Paddock's own executors read them.
 *
 * @param image the image of a new container or pod; empty on a host, and for an existing one
 * @param policy the policy; empty on a host, and for the default one
 * @param worktree the worktree; empty if there is none, or if the policy names it
 * @param environment variables of every command
 * @param quarantine the quarantine directory, an absolute path
 * @param isQuarantineNamed whether that is not the default
 * @param warmSlots the number of warm slots
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL)
public record RemoteOptions(
        Optional<String> image,
        Optional<SandboxPolicy> policy,
        Optional<Path> worktree,
        Map<String, String> environment,
        Path quarantine,
        boolean isQuarantineNamed,
        int warmSlots) {

    /** Copies the variables. */
    public RemoteOptions {
        environment = Map.copyOf(environment);
    }

    /** {@return whether a worktree is named, or a policy is set, which names it} */
    public boolean hasWorktree() {
        return policy.isPresent() || worktree.isPresent();
    }

    /**
     * Returns the policy with the variables added.
     *
     * @param standard makes the policy if none was set
     * @throws IllegalArgumentException if both a policy and a worktree are set
     */
    public SandboxPolicy granted(Supplier<SandboxPolicy> standard) {
        if (policy.isPresent() && worktree.isPresent()) {
            throw new IllegalArgumentException("the policy names the worktree already; leave the worktree out");
        }
        SandboxPolicy given = policy.orElseGet(standard);
        EnvironmentPolicy variables = given.environment();
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            variables = variables.with(entry.getKey(), entry.getValue());
        }
        return environment.isEmpty()
                ? given
                : given.toBuilder().environment(variables).build();
    }
}
