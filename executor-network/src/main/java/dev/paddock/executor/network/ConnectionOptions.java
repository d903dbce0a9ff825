package dev.paddock.executor.network;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Collects the observers and the approver of a builder, whose policy may be set later. */
public final class ConnectionOptions {
    private UnaryOperator<ExecutorOptions> collected = options -> options;
    private boolean isEmpty = true;

    public void onConnection(Consumer<HostConnection> observer) {
        add(options -> options.onConnection(observer));
    }

    public void onRelayedConnection(Consumer<HostConnection> observer) {
        add(options -> options.onRelayedConnection(observer));
    }

    public void approveHosts(HostApprover approver) {
        add(options -> options.approveHosts(approver));
    }

    private void add(UnaryOperator<ExecutorOptions> option) {
        isEmpty = false;
        UnaryOperator<ExecutorOptions> before = collected;
        collected = options -> option.apply(before.apply(options));
    }

    /**
     * Adds the observers and the approver of options.
     *
     * @param options of a provider's executor, which have refused observers that do not fit their policy
     */
    public void addAll(ExecutorOptions options) {
        options.connections().ifPresent(this::onRelayedConnection);
        options.hostApprover().ifPresent(this::approveHosts);
    }

    public boolean isEmpty() {
        return isEmpty;
    }

    /**
     * Returns the options for a policy.
     *
     * @throws IllegalArgumentException if they need a network of allowed hosts, and the policy has another
     */
    public ExecutorOptions of(SandboxPolicy policy) {
        return collected.apply(ExecutorOptions.of(policy));
    }
}
