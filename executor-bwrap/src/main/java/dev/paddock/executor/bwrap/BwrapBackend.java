package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.spawn.SandboxBackend;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Starts bubblewrap sandboxes for the spawner, and the process that holds the network namespace
 * that they share.
 */
final class BwrapBackend implements SandboxBackend<BwrapBackend.Plan> {
    private final BwrapResources site;
    private final Consumer<String> onLoss;
    private Optional<NetworkNamespaceHolder> holder = Optional.empty();
    private boolean closed;

    /**
     * The plan of a sandbox.
     *
     * @param sandbox its namespaces and mounts
     * @param holder the process whose network namespace it joins; empty for the host's
     * @param protection the protected paths that it mounts read-only
     */
    record Plan(BwrapPlan sandbox, Optional<NetworkNamespaceHolder> holder, ProtectionPlan protection) {}

    /**
     * Creates a backend, without a sandbox yet.
     *
     * @param site the executor's resources; the caller closes them
     * @param onLoss receives the reason when the network namespace of all commands is lost
     */
    BwrapBackend(BwrapResources site, Consumer<String> onLoss) {
        this.site = site;
        this.onLoss = onLoss;
    }

    @Override
    public Plan plan() {
        ProtectionPlan protection = site.guard().plan();
        return new Plan(site.compile(protection), joined(), protection);
    }

    /**
     * Returns the process whose network namespace a sandbox joins, and starts it if there is none;
     * empty if sandboxes have the host's network.
     */
    Optional<NetworkNamespaceHolder> joined() {
        return site.network() == Network.JOINED ? Optional.of(holder()) : Optional.empty();
    }

    private synchronized NetworkNamespaceHolder holder() {
        if (holder.isEmpty()) {
            NetworkNamespaceHolder started = site.startHolder();
            holder = Optional.of(started);
            started.onEnd(() -> lose(started));
        }
        return holder.get();
    }

    /**
     * Reports the loss of the network namespace: commands whose loopback new commands can no longer
     * join are not worth keeping.
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
    public Optional<WorktreeGuard.Command> announce(Plan plan) {
        return Optional.of(site.guard().announce(plan.protection()));
    }

    @Override
    public boolean passesExactly(String name) {
        return site.launcher().starter().passesExactly(Set.of(name));
    }

    @Override
    public StartingSandbox prepare(Plan plan, Map<String, String> environment, Optional<CommandRequest> order) {
        return new Starting(site.launcher().start(plan.sandbox(), plan.holder(), environment, order), environment);
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
        site.supervisor().close();
    }

    /** A sandbox that bubblewrap sets up, and that receives its limits afterwards. */
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
            Sandbox sandbox = launched.await();
            BwrapSlot waiting = new BwrapSlot(site, sandbox, environment, launched.entered());
            slot = Optional.of(waiting);
            try {
                site.confinement().apply(sandbox);
                return waiting;
            } catch (IOException | ExecutorException fault) {
                throw new SandboxLostException(
                        BwrapProvider.NAME, "its limits could not be set: " + fault.getMessage(), fault);
            }
        }

        @Override
        public void discard() {
            slot.ifPresentOrElse(BwrapSlot::discard, launched::discard);
        }
    }
}
