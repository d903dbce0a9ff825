package dev.paddock.executor.docker.command;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerWatch;
import dev.paddock.executor.docker.engine.CloseQuietly;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.remote.shell.CommandId;
import dev.paddock.executor.remote.shell.Slot;
import dev.paddock.executor.remote.shell.SlotOrder;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands during one life of one container: from the first command until it is lost or
 * closed. Owns a control shell, slots, and the running commands.
 */
public final class Container implements Closeable {
    private static final System.Logger LOG = System.getLogger(Container.class.getName());

    /**
     * A container or engine that is silent for this long counts as lost (C15). Reading an order of
     * 1 MiB takes the slot a second or two.
     */
    private static final Duration ANSWER_TIMEOUT = CommandControl.ANSWER_TIMEOUT;

    /**
     * The grace period for TERM at disposal; with the one for KILL it stays within the 10 s of C11.
     */
    private static final Duration POLITE = Duration.ofSeconds(2);

    private static final Duration IMPOLITE = Duration.ofSeconds(4);

    /**
     * The engine spends a tenth of a second of processor time on starting a slot: the delay lets a
     * short command finish first.
     */
    private static final Duration REFILL_DELAY = Duration.ofMillis(25);

    private static final long UNTOLD_MILLIS = 5_000;

    private final Engine engine;
    private final ContainerContext inside;
    private final ContainerSource place;
    private final Map<String, ContainerCommand> commands = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable SandboxLostException> loss = new AtomicReference<>();
    private final CommandControl control;
    private final WarmPool<String, Slot> slots;
    private volatile @Nullable Closeable watch;

    private Container(Engine engine, ContainerContext inside, ContainerSource place) {
        this.engine = engine;
        this.inside = inside;
        this.place = place;
        this.control = new CommandControl(engine, inside, commands, this::requireUse);
        this.slots = new WarmPool<>(
                new WarmPool.Settings(
                        "paddock-docker",
                        place.warmSlots(),
                        WarmPool.Settings.DEFAULT_IDLE,
                        REFILL_DELAY,
                        WarmPool.Settings.DEFAULT_RETRY),
                plan -> prepared(),
                Slot::close);
    }

    /**
     * Opens a running container for commands.
     *
     * @param survivors commands that earlier lives may have left running; killed before anything
     *     else starts
     */
    public static Container open(
            Engine engine, ContainerContext inside, ContainerSource place, List<ContainerCommand> survivors) {
        Container container = new Container(engine, inside, place);
        try {
            container.watch = ContainerWatch.over(engine, inside.container(), container::lose);
            container.control.pid();
            survivors.stream()
                    .filter(survivor -> survivor.run().equals(inside.run()))
                    .forEach(container::endSurvivor);
            return container;
        } catch (RuntimeException fault) {
            container.close();
            throw fault;
        }
    }

    private void endSurvivor(ContainerCommand survivor) {
        int left = control.killSurvivors(survivor);
        if (left > 0) {
            throw new SandboxLostException(
                    Engine.BACKEND, left + " processes of a lost command run on and cannot be ended");
        }
    }

    private Slot prepared() throws IOException {
        Slot slot = slot();
        try {
            await(slot.greeting());
            return slot;
        } catch (IOException | RuntimeException fault) {
            slot.close();
            throw fault;
        }
    }

    /**
     * Starts a slot. If the engine has become unreachable, every command is lost, not this one
     * alone.
     */
    private Slot slot() {
        try {
            return Slot.open(inside.open(engine, true));
        } catch (SandboxUnavailableException unreachable) {
            lose(unreachable.getMessage());
            throw unreachable;
        }
    }

    /** Returns the engine's id of the container. */
    public String id() {
        return inside.container();
    }

    String run() {
        return inside.run();
    }

    OptionalLong memoryLimit() {
        return inside.memoryLimit();
    }

    /** Returns whether the container is lost, so that no command can run in it any more. */
    public boolean isLost() {
        return loss.get() != null;
    }

    /** Starts a command. */
    public ContainerCommand spawn(String command, SpawnOptions options) {
        CommandId id = CommandId.random();
        byte[] order = SlotOrder.encode(
                command, options, place.environment(), id, inside.keepAlive(), inside.orphans(), control.pid());
        Optional<Slot> warm = slots.take(inside.container()).filter(slot -> !slot.hasEnded());
        if (warm.isPresent()) {
            try {
                return hand(warm.get(), order, id, options);
            } catch (IOException stale) {
                LOG.log(System.Logger.Level.DEBUG, "a waiting slot had ended; a new one serves", stale);
            }
        }
        try {
            return hand(slot(), order, id, options);
        } catch (IOException fault) {
            throw explain(fault);
        }
    }

    private ContainerCommand hand(Slot slot, byte[] order, CommandId id, SpawnOptions options) throws IOException {
        ContainerCommand command = new ContainerCommand(this, id, slot, options, place.watch());
        boolean ordered = false;
        try {
            command.accepted(await(slot.greeting()));
            commands.put(id.text(), command);
            control.own(command);
            ordered = true;
            slot.order(order, command);
            started(command, await(slot.answer()));
            requireUse();
            return command;
        } catch (SandboxLostException silence) {
            // A command whose slot has received the order stays registered: it may still run once
            // the container answers again.
            lose(silence);
            if (!ordered) {
                commands.remove(id.text());
                command.withdrawn();
                command.restoreWorktree();
            }
            throw silence;
        } catch (IOException | RuntimeException fault) {
            withdraw(command);
            throw fault;
        }
    }

    private static void started(ContainerCommand command, String answer) {
        String[] words = answer.split(" ", -1);
        if (words[0].equals("ready")) {
            command.started(Long.parseLong(words[1]));
            return;
        }
        String why = switch (words[1]) {
            case "missing" -> "does not exist";
            case "file" -> "is no directory";
            case "closed" -> "may not be entered";
            default ->
                throw new SpawnException("the command's shell could not be started in the container: "
                        + answer.substring(answer.indexOf(' ', "refused ".length()) + 1)
                                .strip());
        };
        throw new SpawnException("the working directory " + why + " in the container: '" + command.cwd() + "'");
    }

    private static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException fault) {
            throw new IOException(
                    String.valueOf(
                            fault.getCause() == null ? fault : fault.getCause().getMessage()),
                    fault);
        } catch (TimeoutException silence) {
            throw new SandboxLostException(
                    Engine.BACKEND,
                    "no answer from the container within " + ANSWER_TIMEOUT.toSeconds() + " s",
                    silence);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while the command was handed over");
        }
    }

    private ExecutorException explain(IOException fault) {
        ExecutorException known = loss.get();
        return known != null
                ? known
                : new SandboxLostException(Engine.BACKEND, "a shell in the container: " + fault.getMessage(), fault);
    }

    private void requireUse() {
        ExecutorException known = loss.get();
        if (known != null) {
            throw known;
        }
    }

    CompletionStage<Integer> signal(ContainerCommand command, Signal signal) {
        return control.signal(command, signal);
    }

    CompletionStage<Integer> kill(ContainerCommand command) {
        return control.kill(command);
    }

    void resume(ContainerCommand command) {
        control.resume(command);
    }

    /** Ends the container if a command cannot be killed otherwise. */
    void endIfUnkillable(ContainerCommand command, Duration killing) {
        if (LastResort.isDue(command, killing, control.silence(), commands.size())) {
            commands.remove(command.id().text());
            LastResort.end(command, place, this::lose);
        }
    }

    /** Releases the slot of a command that has written its last output. */
    void release(ContainerCommand command) {
        commands.remove(command.id().text());
        if (command.inside().pid() != 0 && !isLost()) {
            engine.turns().end(() -> control.free(command), command.slot().end());
            // If no control shell can end the slot, at least its connection is closed.
            later(UNTOLD_MILLIS, command.slot()::close);
        }
    }

    /** Withdraws a command that could not be started. Its order may have arrived nevertheless. */
    private void withdraw(ContainerCommand command) {
        commands.remove(command.id().text());
        command.withdrawn();
        if (command.inside().pid() == 0) {
            command.restoreWorktree();
        } else if (!isLost()) {
            engine.turns().end(() -> control.discard(command), command.slot().end());
        }
    }

    void later(long millis, Runnable action) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, task -> Thread.startVirtualThread(task))
                .execute(action);
    }

    // ---- End of commands and of the container

    /** Handles a slot that ended without reporting: with its command, or with its container. */
    void slotEnded(ContainerCommand command) {
        Thread.startVirtualThread(() -> {
            try {
                requireUse();
                int code = control.missingExitStatus(command);
                commands.remove(command.id().text());
                command.endedWith(code, 0);
            } catch (ExecutorException fault) {
                command.lost(lose(fault));
            }
        });
    }

    /**
     * Records that the container or the engine is lost and fails every running command at once.
     *
     * @return the loss, which may be an earlier one than this
     */
    private SandboxLostException lose(ExecutorException fault) {
        return lose(
                fault instanceof SandboxLostException told
                        ? told
                        : new SandboxLostException(Engine.BACKEND, String.valueOf(fault.getMessage()), fault));
    }

    private void lose(@Nullable String reason) {
        lose(new SandboxLostException(Engine.BACKEND, String.valueOf(reason)));
    }

    private SandboxLostException lose(SandboxLostException fault) {
        SandboxLostException before = loss.compareAndExchange(null, fault);
        if (before == null) {
            close();
        }
        return before == null ? fault : before;
    }

    /** Ends every command: SIGTERM first, then SIGKILL. */
    public void endAll() {
        List<ContainerCommand> running = commands();
        running.forEach(command -> command.end(POLITE));
        if (!settled(running, POLITE.plus(IMPOLITE))) {
            LOG.log(System.Logger.Level.WARNING, "commands were left in the container {0}", inside.container());
        }
        commands().forEach(command -> command.endedWith(128 + Signal.KILL.number(), 0));
    }

    private static boolean settled(List<ContainerCommand> commands, Duration bound) {
        try {
            CompletableFuture.allOf(
                            commands.stream().map(ContainerCommand::settled).toArray(CompletableFuture[]::new))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException lost) {
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Starts filling the pool of warm slots. */
    public void prepare() {
        slots.take(inside.container()).ifPresent(Slot::close);
    }

    public int waitingSlots() {
        return slots.ready();
    }

    /** Returns the running commands; of a lost container, those that may still run. */
    public List<ContainerCommand> commands() {
        return new ArrayList<>(commands.values());
    }

    @Override
    public void close() {
        SandboxLostException givenUp = new SandboxLostException(Engine.BACKEND, "it has been given up");
        SandboxLostException known = loss.compareAndExchange(null, givenUp);
        SandboxLostException told = known == null ? givenUp : known;
        // This comes first: the control shell may be starting, and closing it waits for that.
        commands().forEach(command -> command.lost(told));
        slots.close();
        Closeable listening = watch;
        if (listening != null) {
            CloseQuietly.close(listening);
        }
        control.close();
    }
}
