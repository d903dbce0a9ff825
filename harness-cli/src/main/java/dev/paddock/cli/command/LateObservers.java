package dev.paddock.cli.command;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Observes the connections of executors for what exists only after them, such as the command's own
 * terminal. An observer receives those of the executor that was created last before it.
 */
public final class LateObservers {
    private volatile List<Consumer<HostConnection>> ofLast = new CopyOnWriteArrayList<>();
    private volatile Optional<HostApprover> approver = Optional.empty();

    /** Sets who is asked about the hosts of executors that are created from now on. */
    public void approveHosts(HostApprover value) {
        approver = Optional.of(value);
    }

    /** Returns options for a new executor, whose connections this observes as far as they are relayed. */
    public ExecutorOptions addTo(ExecutorOptions options) {
        List<Consumer<HostConnection>> observers = new CopyOnWriteArrayList<>();
        ofLast = observers;
        ExecutorOptions observed =
                options.onRelayedConnection(connection -> observers.forEach(observer -> observer.accept(connection)));
        return options.hasAllowedHosts() ? approver.map(observed::approveHosts).orElse(observed) : observed;
    }

    /** Adds an observer of the executor that was created last. */
    public void observe(Consumer<HostConnection> observer) {
        ofLast.add(observer);
    }
}
