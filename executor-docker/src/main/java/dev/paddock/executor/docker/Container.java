package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.SlotPool;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of one container: from the first command until it is lost or given up. Has a control shell, slots, and the
 * commands that run.
 */
final class Container implements Closeable {
    private static final System.Logger LOG = System.getLogger(Container.class.getName());

    /** A silent container or engine is a lost one after this (C15). An order of 1 MiB takes a second or two to be read. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    /** At disposal, what TERM and KILL are given, within the 10 s of C11. */
    private static final Duration POLITE = Duration.ofSeconds(2);

    private static final Duration IMPOLITE = Duration.ofSeconds(4);

    /** The engine takes a tenth of a second of processor time for a slot: a short command is to be over by then. */
    private static final Duration REFILL_DELAY = Duration.ofMillis(25);

    private static final long UNTOLD_MILLIS = 5_000;

    private final Engine engine;
    private final Inside inside;
    private final Place place;
    private final Map<String, ContainerCommand> commands = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable ExecutorException> loss = new AtomicReference<>();
    private final ReentrantLock controlLock = new ReentrantLock();
    private final Consumer<Container> onLoss;
    private final SlotPool<String, Slot> slots;
    private @Nullable ControlShell control;
    private @Nullable Closeable watch;

    private Container(Engine engine, Inside inside, Place place, Consumer<Container> onLoss) {
        this.engine = engine;
        this.inside = inside;
        this.place = place;
        this.onLoss = onLoss;
        this.slots = new SlotPool<>(
                new SlotPool.Settings(
                        "paddock-docker",
                        place.warmSlots(),
                        SlotPool.Settings.DEFAULT_IDLE,
                        REFILL_DELAY,
                        SlotPool.Settings.DEFAULT_RETRY),
                plan -> prepared(engine, inside),
                Slot::close);
    }

    /**
     * Takes a running container into use.
     *
     * @param survivors what an earlier life may have left running; ended before anything else starts
     */
    static Container open(
            Engine engine, Inside inside, Place place, List<ContainerCommand> survivors, Consumer<Container> onLoss) {
        Container container = new Container(engine, inside, place, onLoss);
        try {
            container.watch = ContainerWatch.over(engine, inside.container(), container::lose);
            container.control();
            survivors.forEach(container::endSurvivor);
            return container;
        } catch (RuntimeException fault) {
            container.close();
            throw fault;
        }
    }

    private static Slot prepared(Engine engine, Inside inside) throws IOException {
        Slot slot = Slot.open(engine, inside);
        try {
            await(slot.greeting());
            return slot;
        } catch (IOException | RuntimeException fault) {
            slot.close();
            throw fault;
        }
    }

    Engine engine() {
        return engine;
    }

    String id() {
        return inside.container();
    }

    OptionalLong memoryLimit() {
        return inside.memoryLimit();
    }

    boolean isLost() {
        return loss.get() != null;
    }

    /** Starts a command. */
    ContainerCommand spawn(String command, SpawnOptions options) {
        CommandId id = CommandId.random();
        byte[] order = SlotOrder.encode(
                command, options, place.environment(), id, inside, control().pid());
        Optional<Slot> warm = slots.take(inside.container()).filter(slot -> !slot.hasEnded());
        if (warm.isPresent()) {
            try {
                return hand(warm.get(), order, id, options);
            } catch (IOException stale) {
                LOG.log(System.Logger.Level.DEBUG, "a waiting slot had ended; a new one serves", stale);
            }
        }
        try {
            return hand(Slot.open(engine, inside), order, id, options);
        } catch (IOException fault) {
            throw explain(fault);
        }
    }

    private ContainerCommand hand(Slot slot, byte[] order, CommandId id, SpawnOptions options) throws IOException {
        ContainerCommand command = new ContainerCommand(this, id, slot, options, place.watch());
        try {
            Slot.Greeting greeting = await(slot.greeting());
            command.accepted(greeting);
            commands.put(id.text(), command);
            // Before the order, so that it is known by the time it runs, whatever becomes of this JVM.
            control().tell("own", arguments(command));
            slot.order(order, command);
            started(command, await(slot.answer()));
            requireUse();
            return command;
        } catch (IOException | RuntimeException fault) {
            commands.remove(id.text());
            slot.close();
            release(command);
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

    // ---- The control shell

    private ControlShell control() {
        controlLock.lock();
        try {
            requireUse();
            if (control == null) {
                control = ControlShell.open(engine, inside, new Notices());
                for (ContainerCommand command : commands.values()) {
                    control.tell("own", arguments(command));
                }
            }
            return control;
        } finally {
            controlLock.unlock();
        }
    }

    /** Calls the control shell; makes a new one if the last has ended. */
    private CompletableFuture<Integer> call(String verb, String arguments) {
        try {
            return control().call(verb, arguments);
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private void tell(String verb, String arguments) {
        try {
            control().tell(verb, arguments);
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.DEBUG, "there is no control shell to tell", fault);
        }
    }

    private String arguments(ContainerCommand command) {
        Slot.Greeting slot = command.inside();
        return slot.pid() + " " + slot.parent() + " " + inside.lease() + " "
                + inside.strays().word() + " " + command.id().text();
    }

    CompletionStage<Integer> signal(ContainerCommand command, Signal signal) {
        return call("sig", signal.number() + " " + arguments(command));
    }

    /** Sends nothing, to count what is there. */
    CompletionStage<Integer> count(ContainerCommand command) {
        return call("sig", "0 " + arguments(command));
    }

    CompletionStage<Integer> kill(ContainerCommand command) {
        return call("end", arguments(command));
    }

    void resume(ContainerCommand command) {
        tell("resume", Long.toString(command.inside().pid()));
    }

    /** A command has said its last word: its slot can go. */
    void release(ContainerCommand command) {
        commands.remove(command.id().text());
        if (command.inside().pid() != 0 && !isLost()) {
            engine.turns()
                    .end(
                            () -> tell("free", Long.toString(command.inside().pid())),
                            command.slot().end());
            // If nobody is there to end it, its connection at least is not kept.
            later(UNTOLD_MILLIS, command.slot()::close);
        }
    }

    private void endSurvivor(ContainerCommand survivor) {
        try {
            control().call("end", arguments(survivor)).get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            control().tell("free", Long.toString(survivor.inside().pid()));
        } catch (ExecutionException | TimeoutException fault) {
            throw new SandboxLostException(
                    Engine.BACKEND, "what a lost command left running could not be ended", fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while the container was looked after");
        }
    }

    void later(long millis, Runnable action) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, task -> Thread.startVirtualThread(task))
                .execute(action);
    }

    private final class Notices implements ControlShell.Listener {
        @Override
        public void notice(String[] words) {
            ContainerCommand command = commands.get(words[1]);
            if (command == null) {
                return;
            }
            if (words[0].equals("exit")) {
                command.exited(Integer.parseInt(words[2]) & 0xff, Long.parseLong(words[3]));
            } else {
                command.left();
            }
        }

        @Override
        public void ended() {
            controlLock.lock();
            try {
                control = null;
            } finally {
                controlLock.unlock();
            }
            // Its end ends every command that it knew: whoever runs on needs a new one at once.
            if (!isLost() && !commands.isEmpty()) {
                later(0, () -> tell("resume", "0"));
            }
        }
    }

    // ---- Ends

    /** A slot has gone without a word: ended with its command, or with its container. */
    void slotEnded(ContainerCommand command) {
        Thread.startVirtualThread(() -> {
            try {
                int code = exitCode(command);
                endRest(command);
                commands.remove(command.id().text());
                command.endedWith(code, 0);
            } catch (ExecutorException fault) {
                lose(fault.getMessage());
                command.lost(fault);
            }
        });
    }

    /**
     * Ends what the command may have left. That this can be done shows besides that the container lives: one that is killed
     * takes a while to say so, and its commands end with 137 before.
     */
    private void endRest(ContainerCommand command) {
        for (int attempt = 1; ; attempt++) {
            try {
                kill(command).toCompletableFuture().get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException | TimeoutException fault) {
                if (fault.getCause() instanceof ExecutorException known) {
                    throw known;
                }
                // The command may have ended the control shell with all that it could reach: a new one is made, twice.
                if (attempt == 3) {
                    throw new SandboxLostException(Engine.BACKEND, "no answer from the container", fault);
                }
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new SandboxLostException(Engine.BACKEND, "interrupted while a command was ended", interrupt);
            }
        }
    }

    private int exitCode(ContainerCommand command) {
        requireUse();
        ContainerState state = ContainerState.of(engine, inside.container());
        if (!state.usable()) {
            throw new SandboxLostException(Engine.BACKEND, state.describe());
        }
        try {
            for (int attempt = 0; attempt < 50; attempt++) {
                OptionalInt code = command.engineExitCode();
                if (code.isPresent()) {
                    return code.getAsInt();
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (DockerException refusal) {
            throw new SandboxLostException(Engine.BACKEND, Engine.message(refusal), refusal);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        throw new SandboxLostException(Engine.BACKEND, "the connection to a command ended while it ran");
    }

    /** The container or the engine is gone: whoever waits is told at once. */
    void lose(@Nullable String reason) {
        SandboxLostException fault = new SandboxLostException(Engine.BACKEND, String.valueOf(reason));
        if (loss.compareAndSet(null, fault)) {
            onLoss.accept(this);
            close();
        }
    }

    /** Ends every command: politely, then not. */
    void endAll() {
        List<ContainerCommand> running = commands();
        running.forEach(command -> signal(command, Signal.TERM));
        if (!settled(running, POLITE)) {
            running.forEach(this::kill);
            if (!settled(running, IMPOLITE)) {
                LOG.log(System.Logger.Level.WARNING, "commands were left in the container {0}", inside.container());
            }
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

    /** Makes slots ready. */
    void prepare() {
        slots.take(inside.container()).ifPresent(Slot::close);
    }

    int waitingSlots() {
        return slots.ready();
    }

    /** The commands that run. */
    List<ContainerCommand> commands() {
        return new ArrayList<>(commands.values());
    }

    @Override
    public void close() {
        loss.compareAndSet(null, new SandboxLostException(Engine.BACKEND, "it has been given up"));
        slots.close();
        controlLock.lock();
        try {
            if (control != null) {
                control.close();
            }
        } finally {
            controlLock.unlock();
        }
        if (watch != null) {
            Quiet.close(watch);
        }
        ExecutorException known = loss.get();
        if (known != null) {
            commands().forEach(command -> command.lost(known));
        }
    }
}
