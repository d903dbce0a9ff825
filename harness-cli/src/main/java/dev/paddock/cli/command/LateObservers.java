package dev.paddock.cli.command;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Passes the connections of executors to observers that are created later, such as a command's display. An observer
 * receives the connections of the executor that was created last before it.
 */
public final class LateObservers {
    private volatile List<Consumer<HostConnection>> ofLast = new CopyOnWriteArrayList<>();
    private volatile Optional<HostApprover> approver = Optional.empty();

    /** Sets the approver of hosts for executors that are created from now on. */
    public void approveHosts(HostApprover value) {
        approver = Optional.of(value);
    }

    /** Returns options for a new executor, whose relayed connections this object observes. */
    public ExecutorOptions addTo(ExecutorOptions options) {
        List<Consumer<HostConnection>> observers = new CopyOnWriteArrayList<>();
        ofLast = observers;
        ExecutorOptions observed =
                options.onRelayedConnection(connection -> observers.forEach(observer -> observer.accept(connection)));
        return options.hasAllowedHosts() ? approver.map(observed::approveHosts).orElse(observed) : observed;
    }

    /** Adds an observer of the most recently created executor. */
    public void observe(Consumer<HostConnection> observer) {
        ofLast.add(observer);
    }
}
