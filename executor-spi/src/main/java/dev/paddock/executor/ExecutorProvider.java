package dev.paddock.executor;

import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A backend that can be found by name, as a {@linkplain java.util.ServiceLoader service}. {@link ExecutorProviders} finds
 * them.
 */
public interface ExecutorProvider {

    /**
     * The backend's short and stable name: {@code "docker"}, {@code "bwrap"}.
     *
     * @return lower-case letters and digits
     */
    String name();

    /**
     * Finds out, by trying, whether the backend can be used here and now. Bounded (5 seconds) and never throws; a failure
     * is not remembered.
     *
     * @return usable with what it guarantees, or unusable with reason and remedy
     */
    Availability probe();

    /**
     * Creates an executor that enforces a policy.
     *
     * @param policy what the sandbox grants
     * @param settings the backend's own settings by name, such as {@code image} for docker; unknown names are refused
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if the sandbox cannot be had
     * @throws UnsupportedPolicyException if the backend cannot enforce the policy
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    CommandExecutor create(SandboxPolicy policy, Map<String, String> settings);

    /**
     * Creates an executor that tells how far it has come where something takes a while before the first command can run.
     *
     * @param policy what the sandbox grants
     * @param settings the backend's own settings by name
     * @param progress is told, on any thread, one call at a time; short. By default nothing is told
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if the sandbox cannot be had
     * @throws UnsupportedPolicyException if the backend cannot enforce the policy
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    default CommandExecutor create(SandboxPolicy policy, Map<String, String> settings, Consumer<Progress> progress) {
        return create(policy, settings);
    }

    /**
     * Returns the backend's priority when the choice is left to {@code auto}: the usable backend with the lowest number is
     * chosen, as with a nice value.
     *
     * @param settings the settings that {@link #create} would be given
     * @return the priority, or empty if the backend is never chosen unasked, or not with these settings; empty by default
     */
    default OptionalInt autoPriority(Map<String, String> settings) {
        return OptionalInt.empty();
    }

    /**
     * Ends and removes what runs of this backend that are proven dead have left behind on this machine (C12). What may
     * belong to a live run is left alone.
     *
     * @return a phrase for each thing that was ended or removed, and for each that could not be; empty if there was none
     */
    default List<String> sweep() {
        return List.of();
    }
}
