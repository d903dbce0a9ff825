package dev.paddock.executor;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options with which an executor is created. Immutable: each method returns a changed copy.
 *
 * <p>Defaults: no settings, no observers, no approver.
 *
 * @since 0.1
 */
public final class ExecutorOptions {
    private final SandboxPolicy policy;
    private final Map<String, String> settings;
    private final Consumer<Progress> progress;
    private final Optional<Consumer<HostConnection>> connections;
    private final Optional<HostApprover> hostApprover;

    private ExecutorOptions(
            SandboxPolicy policy,
            Map<String, String> settings,
            Consumer<Progress> progress,
            Optional<Consumer<HostConnection>> connections,
            Optional<HostApprover> hostApprover) {
        this.policy = policy;
        this.settings = settings;
        this.progress = progress;
        this.connections = connections;
        this.hostApprover = hostApprover;
    }

    /**
     * Returns the defaults for a policy.
     *
     * @param policy the grants of the sandbox
     * @return the options
     */
    public static ExecutorOptions of(SandboxPolicy policy) {
        return new ExecutorOptions(policy, Map.of(), step -> {}, Optional.empty(), Optional.empty());
    }

    /**
     * Sets the backend's own settings.
     *
     * @param value the settings by name, such as {@code image} for docker; a backend refuses unknown names
     * @return the options
     */
    public ExecutorOptions settings(Map<String, String> value) {
        return new ExecutorOptions(
                policy, Collections.unmodifiableMap(new LinkedHashMap<>(value)), progress, connections, hostApprover);
    }

    /**
     * Registers a listener for the progress of long preparations that precede the first command.
     *
     * @param listener called on any thread, one call at a time; must return quickly. A backend without
     *     such preparations never calls it
     * @return the options
     */
    public ExecutorOptions onProgress(Consumer<Progress> listener) {
        return new ExecutorOptions(policy, settings, listener, connections, hostApprover);
    }

    /**
     * Adds an observer of all connections of the commands: those of a network of {@linkplain NetworkPolicy.Allow
     * allowed hosts}, and those to {@linkplain SpawnOptions.Builder#publish published ports}. Receives each connection
     * once, when it has ended, and each denied one; the last ones during {@link CommandExecutor#dispose()}. With the
     * network off some backends report the names that commands look up: each once, and not more than 256.
     *
     * @param observer called by the thread of the connection, several at once; must neither wait nor
     *     throw
     * @return the options
     * @throws IllegalArgumentException if the policy's network is open: commands then connect without the executor;
     *     {@link #onRelayedConnection} observes the others
     */
    public ExecutorOptions onConnection(Consumer<HostConnection> observer) {
        if (policy.network() instanceof NetworkPolicy.Open) {
            throw new IllegalArgumentException("onConnection cannot observe the policy's network, which is "
                    + policy.network() + ": use NetworkPolicy.allow(…) or off(), or onRelayedConnection, which observes"
                    + " published ports alone");
        }
        return onRelayedConnection(observer);
    }

    /**
     * Adds an observer as {@link #onConnection} does, also in an open network. There it receives only connections to
     * {@linkplain SpawnOptions.Builder#publish published ports}: the executor does not relay the others.
     *
     * @param observer called by the thread of the connection, several at once; must neither wait nor
     *     throw
     * @return the options
     */
    public ExecutorOptions onRelayedConnection(Consumer<HostConnection> observer) {
        Consumer<HostConnection> all =
                connections.map(others -> others.andThen(observer)).orElse(observer);
        return new ExecutorOptions(policy, settings, progress, Optional.of(all), hostApprover);
    }

    /**
     * Sets the approver of connections to hosts that the policy does not name. Commands can then look up every
     * host, and a connection to one, on a port that the policy's rules have, waits for the decision. An approved
     * connection is checked like one to an allowed host: a private address is refused unless a rule that names
     * the host allows it.
     *
     * @param approver decides; without one such connections are denied
     * @return the options
     * @throws IllegalArgumentException if the policy's network is not one of {@linkplain
     *     NetworkPolicy.Allow allowed hosts}: the approver would never be asked
     */
    public ExecutorOptions approveHosts(HostApprover approver) {
        if (!hasAllowedHosts()) {
            throw new IllegalArgumentException("approveHosts needs a network of allowed hosts, and the policy's is "
                    + policy.network() + ": leave it out, or use NetworkPolicy.allow(…)");
        }
        return new ExecutorOptions(policy, settings, progress, connections, Optional.of(approver));
    }

    /**
     * Returns whether the policy's network is one of allowed hosts, as {@link #approveHosts} needs.
     *
     * @return whether it is
     */
    public boolean hasAllowedHosts() {
        return policy.network() instanceof NetworkPolicy.Allow;
    }

    /**
     * Returns the grants of the sandbox.
     *
     * @return the policy
     */
    public SandboxPolicy policy() {
        return policy;
    }

    /**
     * Returns the backend's own settings.
     *
     * @return an unmodifiable map
     */
    public Map<String, String> settings() {
        return settings;
    }

    /**
     * Returns the listener for the progress of preparations.
     *
     * @return the listener; by default one that does nothing
     */
    public Consumer<Progress> progress() {
        return progress;
    }

    /**
     * Returns one observer that calls all that were added.
     *
     * @return the observer; empty if there is none
     */
    public Optional<Consumer<HostConnection>> connections() {
        return connections;
    }

    /**
     * Returns the approver of connections to hosts that the policy does not name.
     *
     * @return the approver; empty if there is none
     */
    public Optional<HostApprover> hostApprover() {
        return hostApprover;
    }
}
