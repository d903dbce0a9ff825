package dev.paddock.executor.landlock;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.paddock.executor.Aftermath;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.landlock.LandlockKernel.Program;
import dev.paddock.executor.landlock.LandlockRules.Grant;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.Child;
import dev.paddock.executor.process.ChildDescriptor;
import dev.paddock.executor.process.LaunchSpec;
import dev.paddock.executor.process.Order;
import dev.paddock.executor.process.SlotPool;
import dev.paddock.executor.process.Supervisor;
import dev.paddock.executor.process.WaitingShell;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * The commands of one executor. Each is an order to a shell that was started confined: one that is waiting already, or a new
 * one. There is no other way, since a command must not run before the thread that launched it is gone.
 */
final class LandlockSandbox implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LandlockSandbox.class.getName());

    private static final long SETTLING_SECONDS = 3;

    private final Parts parts;
    private final Ruleset ruleset;
    private final Places places;
    private final SlotPool<LandlockRules, Slot> pool;
    private final Set<ConfinedCommand> settling = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /**
     * What a sandbox is made of; it owns what can be closed.
     *
     * @param env the environment of every command, before its own
     */
    record Parts(
            SandboxPolicy policy,
            String shell,
            Map<String, String> env,
            LandlockKernel kernel,
            int version,
            SystemPaths system,
            Program filter,
            PrivateHome home,
            WorktreeGuard guard,
            Limiter limiter,
            Supervisor supervisor) {}

    /** A waiting shell, and the marker that it was started with. */
    private record Slot(Child child, String marker) {}

    LandlockSandbox(Parts parts, int warmSlots) {
        this.parts = parts;
        ruleset = new Ruleset(parts.kernel());
        places = new RememberingPlaces(parts.system().all(), Places.HOST);
        pool = new SlotPool<>(
                new SlotPool.Settings("paddock-landlock", warmSlots),
                rules -> prepare(rules, Map.of()),
                slot -> parts.supervisor().discard(slot.child()));
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        requireNotDisposed();
        options.signal().throwIfAborted();
        // What a shell would not pass on as it was told is given to it when it is started.
        Map<String, String> told = new HashMap<>(options.env());
        Map<String, String> given = new HashMap<>(options.env());
        told.keySet().removeIf(name -> !Order.passesExactly(Set.of(name)));
        given.keySet().removeAll(told.keySet());
        Order order = new Order(parts.shell(), command, options.cwd(), told, options.stdin(), options.stderr());
        LandlockRules rules = rules();
        Optional<Slot> warm = given.isEmpty() ? pool.take(rules) : Optional.empty();
        if (warm.isPresent()) {
            try {
                return handOver(warm.get(), order, options);
            } catch (IOException fault) {
                requireNotDisposed();
                pool.failed(fault);
            }
        }
        try {
            return handOver(prepare(rules, given), order, options);
        } catch (IOException fault) {
            requireNotDisposed();
            throw unavailable("a confined shell did not take the command: " + fault.getMessage());
        }
    }

    /** Disposal ends waiting shells, too; what looks like a failure of theirs is none. */
    private void requireNotDisposed() {
        if (parts.supervisor().isDisposed()) {
            throw new ExecutorDisposedException(LandlockExecutor.NAME);
        }
    }

    /** As everything is now. */
    private LandlockRules rules() {
        List<Grant> grants = new ArrayList<>();
        parts.guard().linkedGit().map(GitGrants::of).ifPresent(grants::addAll);
        grants.add(new Grant(parts.home().home().toString(), true));
        return LandlockRules.compile(parts.policy(), parts.version(), parts.system(), grants, places);
    }

    /** Starts a confined shell, with some variables more than others have. */
    private Slot prepare(LandlockRules rules, Map<String, String> given) throws IOException {
        String marker = parts.supervisor().newMarker();
        Map<String, String> env = new HashMap<>(parts.env());
        env.putAll(given);
        LaunchSpec spec = LaunchSpec.builder(
                        parts.shell(), "-c", Order.Transport.DESCRIPTORS.bootstrap(), parts.shell())
                .env(env)
                .env(CommandExecutor.MARKER, marker)
                .stdin(SpawnOptions.Stdin.PIPE)
                .descriptor(Order.ORDER_DESCRIPTOR, new ChildDescriptor.Reads())
                .descriptor(Order.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes())
                .build();
        Child child = launch(rules, spec);
        boolean limited = false;
        try {
            parts.limiter().limit(child.pid());
            limited = true;
        } finally {
            if (!limited) {
                parts.supervisor().discard(child);
            }
        }
        return new Slot(child, marker);
    }

    /** In the executor's control group, either from birth or by being moved there. */
    private Child launch(LandlockRules rules, LaunchSpec spec) throws IOException {
        AtomicBoolean born = new AtomicBoolean();
        try {
            Child child = launch(rules, spec, () -> born.set(parts.limiter().enter()));
            if (born.get()) {
                return child;
            }
            return moved(child);
        } catch (SpawnException full) {
            if (!born.get()) {
                throw full;
            }
            // The group has as many processes as it may. Its next command learns that by itself.
            return moved(launch(rules, spec, () -> {}));
        }
    }

    private Child launch(LandlockRules rules, LaunchSpec spec, Runnable preparation) {
        try {
            return ruleset.with(
                    rules,
                    descriptor -> parts.supervisor()
                            .launch(spec, new ConfinedLaunch(parts.kernel(), descriptor, parts.filter(), preparation)));
        } catch (KernelFault fault) {
            throw unavailable("the kernel refuses the rules: " + fault.getMessage());
        }
    }

    private Child moved(Child child) throws IOException {
        try {
            parts.limiter().enter(child.pid());
            return child;
        } catch (IOException fault) {
            parts.supervisor().discard(child);
            throw fault;
        }
    }

    private ProcessLike handOver(Slot slot, Order order, SpawnOptions options) throws IOException {
        WorktreeGuard.Command guarded = parts.guard().begin(Set.of());
        UnaryOperator<ExitStatus> verdict = parts.limiter().judge();
        boolean started = false;
        try {
            Supervisor.Moment before = parts.supervisor().now();
            WaitingShell.handOver(slot.child(), order, Order.Transport.DESCRIPTORS)
                    .requireReady(order);
            if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
                slot.child().stdin().close();
            }
            ProcessLike process = parts.supervisor()
                    .supervise(slot.child(), options, parts.supervisor().hostTree(slot.child(), slot.marker(), before));
            started = true;
            ConfinedCommand confined = new ConfinedCommand(process, verdict, () -> settle(guarded));
            settling.add(confined);
            CompletionStage<Aftermath> unused =
                    confined.onSettled().whenComplete((done, fault) -> settling.remove(confined));
            return confined;
        } finally {
            if (!started) {
                parts.supervisor().discard(slot.child());
                settle(guarded);
            }
        }
    }

    private static List<String> settle(WorktreeGuard.Command guarded) {
        try {
            return guarded.settle();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "Protected paths could not be looked at after a command", fault);
            return List.of("The worktree's protected paths could not be looked at (" + fault.getMessage()
                    + "): see what the command has changed before anything of the host's runs there.");
        }
    }

    private static SandboxUnavailableException unavailable(String reason) {
        return new SandboxUnavailableException(
                LandlockExecutor.NAME,
                new Availability.Unusable(reason, "Look at the worktree and at the kernel's log.", true));
    }

    /** The last commands have ended; what they have changed is being looked at. */
    private void awaitSettling() {
        try {
            CompletableFuture.allOf(settling.stream()
                            .map(command -> command.onSettled().toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .get(SETTLING_SECONDS, SECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            LOG.log(Level.WARNING, "Protected paths may not have been put right after the last commands", fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the commands, then all that belongs to them; once, and a second call waits for the first. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        pool.close();
        try {
            parts.supervisor().close();
            awaitSettling();
        } finally {
            ruleset.close();
            parts.guard().close();
            parts.limiter().close();
            parts.home().close();
        }
    }
}
