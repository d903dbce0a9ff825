package dev.paddock.executor.bwrap;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.Handover;
import dev.paddock.executor.process.Order;
import dev.paddock.executor.process.SlotPool;
import dev.paddock.executor.protect.ProtectionPlan;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands in bubblewrap sandboxes on Linux: each in namespaces of its own, which see the worktree, the parts of the
 * system that programs need, what the {@linkplain SandboxPolicy policy} grants, and nothing else of the machine.
 *
 * <p>Defaults:
 * <ul>
 *   <li>the worktree at its own path, writable, its protected paths read-only
 *   <li>no network; loopback, {@code /tmp} and {@code $HOME} belong to the executor and are the same for all its commands,
 *       and gone with it
 *   <li>no capability, no new privileges, a filter of system calls, no more than 512 processes
 *   <li>{@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code LANG} and {@code TERM} in the environment, and what
 *       the policy adds
 *   <li>two sandboxes started beforehand
 * </ul>
 *
 * <p>A sandbox ends with its command's main process, and what that has left running ends with it, without TERM (C8).
 * Whatever the command does, nothing of it can leave the sandbox: {@link Guarantee#TREE_KILL}.
 *
 * <p>Needs bubblewrap, util-linux, user namespaces and glibc 2.34; as root or as an ordinary user.
 */
public final class BwrapExecutor implements CommandExecutor {
    private static final String SHELL = "/bin/sh";
    private static final long DISPOSAL_SECONDS = 10;

    private final Site site;
    private final SlotPool<SlotPlan, Sandbox> slots;
    private final Set<BwrapCommand> live = ConcurrentHashMap.newKeySet();
    private final Map<String, String> environment;
    private Optional<Holder> holder = Optional.empty();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private volatile boolean disposed;

    /** What a slot is prepared for: the sandbox, and whose network it is in. */
    private record SlotPlan(BwrapPlan plan, Optional<Holder> holder) {}

    BwrapExecutor(Site site, int slotCount, Map<String, String> environment) {
        this.site = site;
        this.environment = Map.copyOf(environment);
        this.slots = new SlotPool<>(
                new SlotPool.Settings("paddock-" + BwrapProvider.NAME, slotCount),
                plan -> prepare(plan, Map.of(), Optional.empty(), () -> {}).sandbox(),
                this::discard);
        if (site.network() == Network.JOINED) {
            holder();
        }
    }

    /**
     * A builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return BwrapProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return site.guarantees();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        if (disposed) {
            throw new ExecutorDisposedException(BwrapProvider.NAME);
        }
        options.signal().throwIfAborted();
        Map<String, String> peculiar = new HashMap<>();
        Order order = order(command, options, peculiar);
        try {
            return start(order, peculiar, options);
        } catch (AbortedException aborted) {
            throw aborted;
        } catch (RuntimeException fault) {
            if (disposed) {
                // Disposal ends sandboxes that are being started, and whatever goes wrong with them then has one cause.
                ExecutorDisposedException reason = new ExecutorDisposedException(BwrapProvider.NAME);
                reason.addSuppressed(fault);
                throw reason;
            }
            throw fault;
        }
    }

    private BwrapCommand start(Order order, Map<String, String> peculiar, SpawnOptions options) {
        ProtectionPlan protection = site.guard().plan();
        SlotPlan plan = new SlotPlan(site.compile(protection), joined());
        WorktreeGuard.Command guarded = site.guard().announce(new HashSet<>(protection.readOnly()));
        try {
            Optional<Sandbox> ready = peculiar.isEmpty() ? slots.poll(plan) : Optional.empty();
            BwrapCommand command = ready.flatMap(slot -> tryHandOver(slot, order, options, guarded))
                    .orElseGet(() -> cold(plan, peculiar, order, options, guarded));
            if (peculiar.isEmpty()) {
                slots.refill(plan);
            }
            return command;
        } catch (RuntimeException fault) {
            guarded.settle();
            throw fault;
        }
    }

    /** The order; variables that some shells do not simply store are put aside. */
    private Order order(String command, SpawnOptions options, Map<String, String> peculiar) {
        Map<String, String> variables = new TreeMap<>(environment);
        variables.putAll(options.env());
        variables.put(MARKER, site.supervisor().newMarker());
        for (String name : options.env().keySet()) {
            if (!site.launcher().passesExactly(Set.of(name))) {
                String value = variables.remove(name);
                Order.requireVariable(name, value == null ? "" : value);
                peculiar.put(name, value == null ? "" : value);
            }
        }
        return new Order(SHELL, command, options.cwd(), variables, options.stdin(), options.stderr());
    }

    private Optional<BwrapCommand> tryHandOver(
            Sandbox slot, Order order, SpawnOptions options, WorktreeGuard.Command guarded) {
        try {
            Handover handover = site.launcher().enter(slot.outside(), Map.of(), order);
            return Optional.of(handOver(slot, handover, order, options, guarded));
        } catch (IOException broken) {
            discard(slot);
            slots.failed(broken);
            return Optional.empty();
        }
    }

    private BwrapCommand cold(
            SlotPlan plan,
            Map<String, String> peculiar,
            Order order,
            SpawnOptions options,
            WorktreeGuard.Command guarded) {
        Launcher.Started started = prepare(plan, peculiar, Optional.of(order), guarded::begin);
        try {
            Handover handover = started.handover().isPresent()
                    ? started.handover().get()
                    : site.launcher().enter(started.sandbox().outside(), peculiar, order);
            return handOver(started.sandbox(), handover, order, options, guarded);
        } catch (IOException broken) {
            discard(started.sandbox());
            throw new SandboxLostException(
                    BwrapProvider.NAME, "it ended while the command was handed over: " + broken.getMessage(), broken);
        }
    }

    private Launcher.Started prepare(
            SlotPlan plan, Map<String, String> variables, Optional<Order> order, Runnable meanwhile) {
        Launcher.Started started = site.launcher().start(plan.plan(), plan.holder(), variables, order, meanwhile);
        try {
            site.confinement().apply(started.sandbox());
            return started;
        } catch (IOException | ExecutorException fault) {
            discard(started.sandbox());
            throw new SandboxLostException(
                    BwrapProvider.NAME, "its limits could not be set: " + fault.getMessage(), fault);
        }
    }

    private BwrapCommand handOver(
            Sandbox sandbox, Handover handover, Order order, SpawnOptions options, WorktreeGuard.Command guarded)
            throws IOException {
        long oomKills;
        try {
            guarded.begin();
            oomKills = site.confinement().oomKills();
            handover.become().requireReady(order);
        } catch (RuntimeException refused) {
            discard(sandbox);
            throw refused;
        }
        if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
            sandbox.outside().to(Launcher.STDIN).close();
        }
        ProcessLike supervised = site.supervisor().supervise(sandbox.outside(), options, sandbox);
        BwrapCommand command = new BwrapCommand(sandbox, supervised);
        live.add(command);
        command.follow(
                site.supervisor(),
                new BwrapCommand.Ending(
                        () -> site.confinement().outOfMemory(oomKills), guarded::settle, () -> live.remove(command)));
        return command;
    }

    private void discard(Sandbox sandbox) {
        sandbox.signal(Signal.KILL);
        site.supervisor().discard(sandbox.outside());
        sandbox.awaitEnd(Duration.ofSeconds(2));
        sandbox.close();
    }

    private Optional<Holder> joined() {
        return site.network() == Network.JOINED ? Optional.of(holder()) : Optional.empty();
    }

    /** The executor's own directories. */
    Path rooms() {
        return site.rooms();
    }

    /** The process whose end is the loss of all that the commands share. */
    long holderPid() {
        return holder().pid();
    }

    private synchronized Holder holder() {
        if (holder.isEmpty()) {
            Holder started = site.startHolder();
            holder = Optional.of(started);
            started.onEnd(() -> lose(started));
        }
        return holder.get();
    }

    /** Commands that share a loopback which new ones cannot join any more are not worth keeping. */
    private void lose(Holder ended) {
        synchronized (this) {
            if (disposed || holder.filter(ended::equals).isEmpty()) {
                return;
            }
            holder = Optional.empty();
        }
        slots.drop();
        live.forEach(command -> command.lose("the process that holds the executor's network has ended"));
    }

    @Override
    public void dispose() {
        boolean first;
        synchronized (this) {
            first = !disposed;
            disposed = true;
        }
        if (!first) {
            awaitQuietly(disposal);
            return;
        }
        try {
            slots.close();
            site.supervisor().close();
            live.forEach(command -> awaitQuietly(command.onClosed().toCompletableFuture()));
        } finally {
            try {
                site.close();
            } finally {
                disposal.complete(null);
            }
        }
    }

    /** What it ends with has been told to whom it concerns. */
    private static void awaitQuietly(CompletableFuture<?> end) {
        CompletableFuture<Boolean> either = end.handle((done, fault) -> true);
        either.completeOnTimeout(false, DISPOSAL_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Collects what an executor is made of. Not safe for use by several threads. */
    public static final class Builder {
        private Optional<Path> worktree = Optional.empty();
        private Optional<String> execCwd = Optional.empty();
        private Optional<SandboxPolicy> policy = Optional.empty();
        private Optional<Path> program = Optional.empty();
        private Optional<Path> quarantine = Optional.empty();
        private int warmSlots = 2;

        private Builder() {}

        /**
         * Sets the directory that commands work in; the rest of the policy is the default. Not together with
         * {@link #policy}.
         *
         * @param value a directory of the host, absolute
         * @return this builder
         */
        public Builder worktree(Path value) {
            worktree = Optional.of(value);
            return this;
        }

        /**
         * Sets where commands see the worktree; by default at its own path. Not together with {@link #policy}.
         *
         * @param value a path on the command's side, absolute
         * @return this builder
         */
        public Builder execCwd(String value) {
            execCwd = Optional.of(value);
            return this;
        }

        /**
         * Sets all that the sandbox grants, the worktree included.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder policy(SandboxPolicy value) {
            policy = Optional.of(value);
            return this;
        }

        /**
         * Sets the bubblewrap to use; by default {@code bwrap} from the system's directories, then from the {@code PATH}.
         *
         * @param value the program, absolute
         * @return this builder
         */
        public Builder program(Path value) {
            program = Optional.of(value);
            return this;
        }

        /**
         * Sets where files go that commands have put at protected paths; they are left there for the user. By default
         * {@code $XDG_STATE_HOME/paddock/quarantine}, in a directory for each executor that has something
         * to put there.
         *
         * @param value a directory of the host; made when it is needed
         * @return this builder
         */
        public Builder quarantine(Path value) {
            quarantine = Optional.of(value);
            return this;
        }

        /**
         * Sets how many sandboxes are kept started and waiting.
         *
         * @param value 0 to 8; 2 by default
         * @return this builder
         * @throws IllegalArgumentException if it is another number
         */
        public Builder warmSlots(int value) {
            if (value < 0 || value > 8) {
                throw new IllegalArgumentException("the number of warm slots is not within 0 to 8: " + value);
            }
            warmSlots = value;
            return this;
        }

        /**
         * Makes the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if neither a worktree nor a policy is set, or both are, or the worktree is no
         *     directory
         * @throws SandboxUnavailableException if bubblewrap cannot be used here
         * @throws dev.paddock.executor.UnsupportedPolicyException if the policy asks for what cannot be kept here
         */
        public BwrapExecutor build() {
            SandboxPolicy wanted = policy.orElseGet(this::defaults);
            if (policy.isPresent() && (worktree.isPresent() || execCwd.isPresent())) {
                throw new IllegalArgumentException(
                        "the policy names the worktree already: set either the policy, or worktree and execCwd");
            }
            Site site = Site.create(wanted, program, quarantine);
            try {
                return new BwrapExecutor(site, warmSlots, site.environment());
            } catch (RuntimeException fault) {
                site.close();
                throw fault;
            }
        }

        private SandboxPolicy defaults() {
            Path directory = worktree.orElseThrow(
                    () -> new IllegalArgumentException("set the worktree, or a policy: commands need a directory"));
            return SandboxPolicy.builder(execCwd.map(path -> new PathMapping(directory, path))
                            .orElseGet(() -> PathMapping.same(directory)))
                    .build();
        }
    }
}
