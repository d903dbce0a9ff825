package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.network.InsideSockets;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.SupervisedBackend;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import dev.paddock.executor.worktree.ProtectionPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts bubblewrap sandboxes, and the process that keeps their shared network namespace. */
final class BwrapBackend extends SupervisedBackend<BwrapBackend.Plan> {
    private final BwrapResources resources;
    private volatile Consumer<String> onLoss = reason -> {};
    private Optional<NetworkNamespaceHolder> holder;
    private Optional<Inside> inside = Optional.empty();
    private boolean closed;

    private record Inside(NetworkNamespaceHolder holder, InsideSockets sockets) {}

    /**
     * The plan of a sandbox.
     *
     * @param holder the process whose network namespace it joins; empty for the host's
     * @param protection the protected paths that it mounts read-only
     */
    record Plan(BwrapPlan sandbox, Optional<NetworkNamespaceHolder> holder, ProtectionPlan protection) {
        // Written out: the JDK would generate it in each JVM, at the first comparison.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Plan that
                    && sandbox.equals(that.sandbox)
                    && holder.equals(that.holder)
                    && protection.equals(that.protection);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * sandbox.hashCode() + holder.hashCode()) + protection.hashCode();
        }
    }

    /**
     * Creates a backend.
     *
     * @param resources the executor's resources; the caller closes them
     */
    BwrapBackend(BwrapResources resources) {
        super(resources.supervisor(), resources.launcher().commands(), Optional.of(resources.guard()));
        this.resources = resources;
        holder = resources.firstHolder();
    }

    /**
     * Watches the holder of the network namespace, if there is one.
     *
     * @param onNetworkLoss receives the reason when all commands lose their network namespace
     */
    synchronized void watch(Consumer<String> onNetworkLoss) {
        onLoss = onNetworkLoss;
        holder.ifPresent(this::follow);
    }

    private void follow(NetworkNamespaceHolder started) {
        started.onEnd(() -> lose(started));
    }

    Map<String, String> commandEnvironment() {
        return environment(resources.environment(), Map.of());
    }

    @Override
    public Plan plan() {
        ProtectionPlan protection = resources.guard().plan();
        return new Plan(resources.compile(protection), joined(), protection);
    }

    /** Returns the holder to join, and starts one if none runs; empty if sandboxes use the host's network. */
    Optional<NetworkNamespaceHolder> joined() {
        return resources.network() == Network.JOINED ? Optional.of(holder()) : Optional.empty();
    }

    private synchronized NetworkNamespaceHolder holder() {
        if (holder.isEmpty()) {
            NetworkNamespaceHolder started = resources.startHolder();
            holder = Optional.of(started);
            follow(started);
        }
        return holder.get();
    }

    /**
     * Reports the loss of the network namespace: new commands cannot reach the loopback of running ones, so those are
     * ended.
     */
    private void lose(NetworkNamespaceHolder ended) {
        synchronized (this) {
            if (closed || holder.filter(ended::equals).isEmpty()) {
                return;
            }
            holder = Optional.empty();
        }
        onLoss.accept("the process that holds the executor's network has ended");
    }

    @Override
    protected ProtectionPlan protection(Plan plan) {
        return plan.protection();
    }

    @Override
    public StartingSandbox prepare(Plan plan, Map<String, String> environment) {
        return start(plan, environment, Optional.empty());
    }

    @Override
    public StartingSandbox startWithTerminal(Plan plan, Map<String, String> environment, TerminalSize size) {
        return start(plan, environment, Optional.of(size));
    }

    private StartingSandbox start(Plan plan, Map<String, String> environment, Optional<TerminalSize> terminal) {
        return new Starting(
                resources.launcher().start(plan.sandbox(), plan.holder(), environment, terminal), environment);
    }

    @Override
    public Supplier<List<String>> observe() {
        return resources.allowed().map(AllowedNetwork::observe).orElse(List::of);
    }

    @Override
    public void requirePublishing(String name, SpawnOptions options) {
        if (resources.network() != Network.JOINED) {
            options.refusePublishing(name);
        }
        AllowedNetwork.obstacle().ifPresent(reason -> options.refusePublishing(name, reason));
        resources.allowed().ifPresent(network -> network.requireFree(name, options));
    }

    @Override
    public Publication publish(Plan plan, List<PublishedPort> ports) {
        return resources.published().publish(inside(plan.holder().orElseThrow()), ports);
    }

    private synchronized InsideSockets inside(NetworkNamespaceHolder joined) {
        if (inside.filter(known -> known.holder().equals(joined)).isEmpty()) {
            inside = Optional.of(new Inside(joined, resources.inside(joined)));
        }
        return inside.get().sockets();
    }

    @Override
    public boolean hasTerminal() {
        return resources.launcher().givesTerminals();
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SandboxLostException(
                BwrapProvider.NAME, "it ended while the command was handed over: " + fault.getMessage(), fault);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        super.close();
    }

    /** A sandbox that bubblewrap is setting up; it receives its limits afterwards. */
    private final class Starting implements StartingSandbox {
        private final SandboxLauncher.Starting launched;
        private final Map<String, String> environment;
        private Optional<BwrapSlot> slot = Optional.empty();

        Starting(SandboxLauncher.Starting launched, Map<String, String> environment) {
            this.launched = launched;
            this.environment = environment;
        }

        @Override
        public WarmSlot await() {
            BwrapTree sandbox = launched.await();
            BwrapSlot waiting = new BwrapSlot(resources, sandbox, environment);
            slot = Optional.of(waiting);
            try {
                resources.limit(sandbox);
                return waiting;
            } catch (IOException | ExecutorException fault) {
                throw new SandboxLostException(
                        BwrapProvider.NAME, "its limits could not be set: " + FileFaults.reason(fault), fault);
            }
        }

        @Override
        public void discard() {
            slot.ifPresentOrElse(BwrapSlot::discard, launched::discard);
        }

        @Override
        public CompletionStage<?> onEnd() {
            return slot.<CompletionStage<?>>map(BwrapSlot::onEnd).orElseGet(StartingSandbox.super::onEnd);
        }
    }
}
