package dev.paddock.executor.confined;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.paddock.executor.Aftermath;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.Child;
import dev.paddock.executor.process.Handover;
import dev.paddock.executor.process.Order;
import dev.paddock.executor.process.SlotPool;
import dev.paddock.executor.process.Starter;
import dev.paddock.executor.process.Supervisor;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The commands of one executor that confines them on the host. Each is an order to what was started confined to wait for it,
 * beforehand or now; and when it has ended, protected paths are put right.
 *
 * @param <P> what they are confined to; compared by {@code equals}
 */
public final class ConfinedCommands<P> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ConfinedCommands.class.getName());

    private static final int LONGEST_COMPLAINT = 4096;
    private static final long SETTLING_SECONDS = 3;

    private final Place place;
    private final Preparation<P> preparation;
    private final SlotPool<P, Slot> pool;
    private final Set<ConfinedCommand> settling = ConcurrentHashMap.newKeySet();

    /**
     * Where the commands run.
     *
     * @param backend the backend's name, for threads and messages
     * @param remedy what helps when what waits fails, as a sentence
     * @param supervisor starts and ends them; closed with these commands
     * @param guard keeps protected paths; stays the caller's
     * @param starter how commands are handed over
     * @param verdict for each command that starts now, makes of its process's status its own
     */
    public record Place(
            String backend,
            String remedy,
            Supervisor supervisor,
            WorktreeGuard guard,
            Starter starter,
            Supplier<UnaryOperator<ExitStatus>> verdict) {}

    /**
     * What waits for a command, confined.
     *
     * @param child its process
     * @param env the environment that it was started with, the marker among it
     */
    public record Slot(Child child, Map<String, String> env) {
        String marker() {
            return env.getOrDefault(CommandExecutor.MARKER, "");
        }
    }

    /**
     * Starts confined shells.
     *
     * @param <P> what they are confined to
     */
    @FunctionalInterface
    public interface Preparation<P> {
        /**
         * Starts one.
         *
         * @param plan what it is confined to
         * @param given variables that it has more than others
         * @param meanwhile to be run on the calling thread, best while the shell starts; throws nothing
         * @return the shell
         * @throws IOException if it could not be started as it should be; nothing is left of it
         */
        Slot prepare(P plan, Map<String, String> given, Runnable meanwhile) throws IOException;
    }

    /**
     * What commands are confined to, as things are.
     *
     * @param <P> what they are confined to
     */
    @FunctionalInterface
    public interface Plans<P> {
        /**
         * The plan as far as it is known at once.
         *
         * @return the plan
         */
        P now();

        /**
         * Whether a plan is still right. Asked while a command is made ready, before it is let go: a longer look has its time there.
         *
         * @param plan one that was made a moment ago
         * @return false if another one is to be made, by {@link #now}
         */
        default boolean stillHolds(P plan) {
            return true;
        }
    }

    /** What has been seen since shows that a plan was wrong; nothing of the command has run. */
    private static final class OutdatedPlan extends ExecutorException {
        private static final long serialVersionUID = 1;

        OutdatedPlan() {
            super("what the command is to be confined to keeps changing while it is made ready: run it again");
        }
    }

    /**
     * No command yet.
     *
     * @param place where they run
     * @param warmSlots how many shells are kept waiting
     * @param preparation starts them
     */
    public ConfinedCommands(Place place, int warmSlots, Preparation<P> preparation) {
        this.place = place;
        this.preparation = preparation;
        pool = new SlotPool<>(
                new SlotPool.Settings("paddock-" + place.backend(), warmSlots),
                plan -> preparation.prepare(plan, Map.of(), () -> {}),
                slot -> place.supervisor().discard(slot.child()));
    }

    /**
     * Runs a command.
     *
     * @param command the command string
     * @param options how
     * @param shell the command's shell
     * @param base variables of every command, before its own
     * @param plans what it is to be confined to; asked for when the command is known to be wanted
     * @return the command
     */
    public ProcessLike spawn(
            String command, SpawnOptions options, String shell, Map<String, String> base, Plans<P> plans) {
        requireNotDisposed();
        options.signal().throwIfAborted();
        // What a shell would not pass on as it was told is given to it when it is started.
        Map<String, String> told = new HashMap<>(base);
        told.putAll(options.env());
        Map<String, String> given = new HashMap<>(told);
        told.keySet().removeIf(name -> !place.starter().passesExactly(Set.of(name)));
        given.keySet().removeAll(told.keySet());
        Order order = new Order(shell, command, options.cwd(), told, options.stdin(), options.stderr());
        try {
            return spawn(order, options, given, plans);
        } catch (OutdatedPlan once) {
            LOG.log(Level.DEBUG, "What a command is to be confined to has changed; it is made ready again");
            return spawn(order, options, given, plans);
        }
    }

    private ProcessLike spawn(Order order, SpawnOptions options, Map<String, String> given, Plans<P> plans) {
        P wanted = plans.now();
        BooleanSupplier holds = () -> plans.stillHolds(wanted);
        Optional<Slot> warm = given.isEmpty() ? pool.poll(wanted) : Optional.empty();
        ProcessLike process = warm.flatMap(slot -> onWaiting(slot, order, options, holds))
                .orElseGet(() -> afresh(wanted, given, order, options, holds));
        if (given.isEmpty()) {
            pool.refill(wanted);
        }
        return process;
    }

    private Optional<ProcessLike> onWaiting(Slot slot, Order order, SpawnOptions options, BooleanSupplier holds) {
        try {
            return Optional.of(handOver(guarded -> slot, order, options, holds));
        } catch (IOException fault) {
            requireNotDisposed();
            pool.failed(fault);
            return Optional.empty();
        }
    }

    private ProcessLike afresh(
            P wanted, Map<String, String> given, Order order, SpawnOptions options, BooleanSupplier holds) {
        try {
            return handOver(
                    guarded -> preparation.prepare(wanted, given, () -> lookEarly(guarded, holds)),
                    order,
                    options,
                    holds);
        } catch (IOException fault) {
            requireNotDisposed();
            throw new SandboxUnavailableException(
                    place.backend(),
                    new Availability.Unusable(
                            "a confined shell did not take the command: " + fault.getMessage(), place.remedy(), true));
        }
    }

    /** Disposal ends what waits, too; what looks like a failure of its is none. */
    private void requireNotDisposed() {
        if (place.supervisor().isDisposed()) {
            throw new ExecutorDisposedException(place.backend());
        }
    }

    /** What these find, and a fault of theirs, is left to the looks that the command waits for. */
    private static void lookEarly(WorktreeGuard.Command guarded, BooleanSupplier holds) {
        try {
            guarded.begin();
            boolean unused = holds.getAsBoolean();
        } catch (RuntimeException fault) {
            LOG.log(Level.DEBUG, "Protected paths are looked at again", fault);
        }
    }

    /** Where a command's shell comes from. */
    private interface Source {
        Slot slot(WorktreeGuard.Command guarded) throws IOException;
    }

    private ProcessLike handOver(Source source, Order order, SpawnOptions options, BooleanSupplier holds)
            throws IOException {
        WorktreeGuard.Command guarded = place.guard().announce(Set.of());
        boolean open = false;
        try {
            Slot slot = source.slot(guarded);
            open = true;
            return handOver(slot, guarded, order, options, holds);
        } finally {
            if (!open) {
                settle(guarded);
            }
        }
    }

    private ProcessLike handOver(
            Slot slot, WorktreeGuard.Command guarded, Order order, SpawnOptions options, BooleanSupplier holds)
            throws IOException {
        boolean started = false;
        try {
            Handover handover = place.starter().enter(slot.child(), slot.env(), order);
            guarded.begin();
            if (!holds.getAsBoolean()) {
                throw new OutdatedPlan();
            }
            UnaryOperator<ExitStatus> verdict = place.verdict().get();
            Supervisor.Moment before = place.supervisor().now();
            handover.become().requireReady(order);
            if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
                slot.child().stdin().close();
            }
            ProcessLike process = place.supervisor()
                    .supervise(slot.child(), options, place.supervisor().hostTree(slot.child(), slot.marker(), before));
            started = true;
            ConfinedCommand confined = new ConfinedCommand(process, verdict, () -> settle(guarded));
            settling.add(confined);
            CompletionStage<Aftermath> unused =
                    confined.onClosed().whenComplete((done, fault) -> settling.remove(confined));
            return confined;
        } catch (IOException fault) {
            throw explained(slot, fault);
        } finally {
            if (!started) {
                place.supervisor().discard(slot.child());
                settle(guarded);
            }
        }
    }

    /** What confines a shell may dislike what it was told, and says so on standard error. */
    private static IOException explained(Slot slot, IOException fault) throws IOException {
        InputStream complaints = slot.child().stderr();
        ByteArrayOutputStream complaint = new ByteArrayOutputStream();
        byte[] block = new byte[LONGEST_COMPLAINT];
        // Something is there, or the end is: neither is waited for.
        while (complaint.size() < LONGEST_COMPLAINT && complaints.available() > 0) {
            int count = complaints.read(block, 0, LONGEST_COMPLAINT - complaint.size());
            if (count < 0) {
                break;
            }
            complaint.write(block, 0, count);
        }
        return complaint.size() == 0
                ? fault
                : new IOException(
                        fault.getMessage() + "; it said: "
                                + complaint.toString(UTF_8).strip(),
                        fault);
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

    /** Ends the commands, and waits until what the last ones have changed was looked at. */
    @Override
    public void close() {
        pool.close();
        place.supervisor().close();
        awaitSettling();
    }

    private void awaitSettling() {
        try {
            CompletableFuture.allOf(settling.stream()
                            .map(command -> command.onClosed().toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .get(SETTLING_SECONDS, SECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            LOG.log(Level.WARNING, "Protected paths may not have been put right after the last commands", fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
