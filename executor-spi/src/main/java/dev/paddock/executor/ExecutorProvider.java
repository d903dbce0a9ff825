package dev.paddock.executor;

import dev.paddock.executor.policy.SandboxPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Provides a backend that can be found by name, as a {@linkplain java.util.ServiceLoader service}.
 * {@link ExecutorProviders} finds the providers. {@code auto} chooses among Paddock's own backends;
 * another is chosen by its name, alone or in a list.
 *
 * @since 0.1
 */
public interface ExecutorProvider {

    /**
     * Returns the backend's short and stable name: {@code "docker"}, {@code "bwrap"}.
     *
     * @return lower-case letters and digits
     */
    String name();

    /**
     * Probes whether the backend can be used here and now, by really using it. Takes 5 seconds at
     * most and never throws; a failure is not cached.
     *
     * @return usable with its guarantees, or unusable with reason and remedy
     */
    Availability probe();

    /**
     * Probes as {@link #probe()} does, but with settings, such as another program in place of the usual
     * one, and with a bound of its own: more time for a backend that has not answered on a busy machine.
     *
     * @param settings the backend's own settings, as for {@link #create}
     * @param bound how long the probe may take
     * @return usable with its guarantees, or unusable with reason and remedy; by default the answer of
     *     {@link #probe()}
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default Availability probe(Map<String, String> settings, Duration bound) {
        return probe();
    }

    /**
     * Probes whether the backend can be used with a policy and settings, by a command in an executor
     * that enforces them. Leaves the worktree unchanged. May take as long as {@link #create} and 30
     * seconds more: a container's image is fetched if it is missing.
     *
     * @param policy the grants of the sandbox
     * @param settings the backend's own settings, as for {@link #create}
     * @return usable with the guarantees of such an executor, or unusable with reason and remedy,
     *     also if the backend cannot enforce the policy
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return PolicyProbe.of(this, policy, settings);
    }

    /**
     * Creates an executor that enforces a policy.
     *
     * @param policy the grants of the sandbox
     * @param settings the backend's own settings by name, such as {@code image} for docker; unknown
     *     names are refused
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if the sandbox is not available
     * @throws UnsupportedPolicyException if the backend cannot enforce the policy
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    CommandExecutor create(SandboxPolicy policy, Map<String, String> settings);

    /**
     * Creates an executor with all options.
     *
     * <p>A backend that does not override this method reports no progress. It refuses an approver. It also refuses an
     * observer if it relays connections: those of a network of allowed hosts, or to published ports. If it relays
     * none, it accepts the observer and never calls it.
     *
     * @param options the policy, the settings, and what observes the executor
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if the sandbox is not available
     * @throws UnsupportedPolicyException if the backend cannot enforce the policy, or cannot serve an
     *     option
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default CommandExecutor create(ExecutorOptions options) {
        CommandExecutor executor = create(options.policy(), options.settings()); // refuses the policy first
        boolean isUnobserved = options.connections().isPresent()
                && (options.hasAllowedHosts()
                        || BackendChoice.guaranteesOf(executor).contains(Guarantee.PUBLISHED_PORTS));
        if (isUnobserved || options.hostApprover().isPresent()) {
            executor.dispose();
            throw new UnsupportedPolicyException(
                    name(),
                    List.of("reports no connections and asks about no hosts (onConnection, approveHosts): leave them"
                            + " out"));
        }
        return executor;
    }

    /**
     * Suspends the sandbox that executors with these settings leave running at disposal for a later executor: frees
     * its processors and memory, and keeps its files. No such executor may be in use. By default does nothing, for
     * backends that leave nothing running.
     *
     * @param settings the backend's own settings, as for {@link #create}
     * @throws ExecutorException if the sandbox may still run
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default void suspend(Map<String, String> settings) {}

    /**
     * Removes the sandbox that executors with these settings leave at disposal for a later executor, with its files.
     * No such executor may be in use. Does nothing if there is no such sandbox, and by default.
     *
     * @param settings the backend's own settings, as for {@link #create}
     * @throws ExecutorException if the sandbox may still exist
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default void discard(Map<String, String> settings) {}

    /**
     * Returns whether the backend has a setting. If a user names several backends, each receives only the
     * settings that it has.
     *
     * @param setting the setting's name
     * @return whether {@link #create} knows it; true by default
     */
    default boolean hasSetting(String setting) {
        return true;
    }
}
