package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.shell.CloseQuietly;
import dev.paddock.executor.remote.shell.RequestLine;
import dev.paddock.executor.remote.shell.Slot;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands in one connected system, from the first command until it is lost or closed. Owns a control shell and
 * the running commands.
 */
public final class RemoteSystem implements Closeable {
    private static final System.Logger LOG = LateLogger.of(RemoteSystem.class);

    /**
     * A remote system that is silent for this long counts as lost (C15). Reading a request of 1 MiB takes the slot a
     * second or two.
     */
    private static final Duration ANSWER_TIMEOUT = CommandControl.ANSWER_TIMEOUT;

    /** How long a control shell may take to end a slot before the slot's connection is closed. */
    private static final Duration FREE_BOUND = Duration.ofSeconds(5);

    private final SystemConnection connection;
    private final SystemContext inside;
    private final RemoteProvider source;
    private final Map<String, RemoteCommand> commands = new ConcurrentHashMap<>();
    private final SystemLoss loss;
    private final CommandControl control;
    private volatile @Nullable Closeable watch;

    /** A slot that has not greeted in time. Its remote system counts as lost if a command needs it. */
    static final class SilentSlot extends IOException {
        private static final long serialVersionUID = 1;

        private final transient RemoteSystem remote;

        private SilentSlot(RemoteSystem remote, TimeoutException silence) {
            super(remote.noAnswer(), silence);
            this.remote = remote;
        }

        SandboxLostException lose() {
            return remote.lose(remote.loss.because(remote.noAnswer(), this));
        }
    }

    private String noAnswer() {
        return "no answer from " + source.briefly() + " within " + ANSWER_TIMEOUT.toSeconds() + " s";
    }

    private RemoteSystem(SystemConnection connection, SystemContext inside, RemoteProvider source) {
        this.connection = connection;
        this.inside = inside;
        this.source = source;
        this.loss = new SystemLoss(connection.backend());
        this.control = new CommandControl(connection, inside, commands, loss::requireNone);
    }

    /**
     * Opens a running system for commands.
     *
     * @param source ends the remote system if a command in it cannot be killed otherwise
     * @param survivors commands that may still run after earlier losses; killed before anything else starts
     */
    public static RemoteSystem open(
            SystemConnection connection, SystemContext inside, RemoteProvider source, List<RemoteCommand> survivors) {
        RemoteSystem remote = new RemoteSystem(connection, inside, source);
        try {
            remote.watch = connection.watch(remote::lose);
            remote.control.pid();
            survivors.stream()
                    .filter(survivor -> survivor.run().equals(inside.run()))
                    .forEach(remote::endSurvivor);
            // Those of another run have ended with it.
            survivors.forEach(RemoteCommand::confirmEnd);
            return remote;
        } catch (RuntimeException fault) {
            remote.close();
            throw fault;
        }
    }

    private void endSurvivor(RemoteCommand survivor) {
        int left = control.killSurvivors(survivor);
        if (left > 0) {
            throw loss.because(left + " processes of a lost command run on and cannot be ended");
        }
    }

    /** Starts a slot. If the remote system has become unreachable, every command is lost. */
    RemoteSlot startSlot() {
        return startSlot(() -> Slot.open(connection.open(inside.slot())));
    }

    RemoteSlot startTerminal() {
        return startSlot(() -> Slot.openAtTerminal(connection.openAtTerminal(inside.slot())));
    }

    private RemoteSlot startSlot(Supplier<Slot> start) {
        try {
            loss.requireNone();
            return new RemoteSlot(this, start.get());
        } catch (SandboxUnavailableException unreachable) {
            lose(unreachable.getMessage());
            throw unreachable;
        } catch (SandboxLostException lost) {
            throw lostBeforeRequest(lost);
        }
    }

    /** Records a loss before a slot received the command's request: another remote system may run the command. */
    private SandboxUnavailableException lostBeforeRequest(SandboxLostException fault) {
        SandboxLostException lost = lose(fault);
        SandboxUnavailableException nothingRan = new SandboxUnavailableException(
                connection.backend(),
                new Availability.Unusable(
                        String.valueOf(lost.getMessage()), "Run the command again.", Availability.Outlook.TRANSIENT));
        nothingRan.initCause(lost);
        return nothingRan;
    }

    public String id() {
        return inside.id();
    }

    /** Identifies the run of the remote system: files and processes of this run may be missing in the next. */
    public String run() {
        return inside.run();
    }

    public String what() {
        return source.what();
    }

    /** Returns the factory of the remote system's processes besides the commands'. */
    public ChannelFactory channels() {
        return connection;
    }

    /** Returns a signal that is aborted when the remote system is lost, but not when it is closed. */
    public AbortSignal lossSignal() {
        return loss.signal();
    }

    OptionalLong memoryLimit() {
        return inside.memoryLimit();
    }

    /** Returns whether the remote system is lost, so that it cannot run commands. */
    public boolean isLost() {
        return loss.known().isPresent();
    }

    /**
     * Waits for a slot's greeting.
     *
     * @throws SilentSlot if it does not greet in time
     * @throws IOException if the slot has ended
     * @throws SandboxUnavailableException if the remote system is lost
     */
    void awaitGreeting(Slot slot) throws IOException {
        try {
            Slot.Greeting unused = await(slot.greeting());
        } catch (TimeoutException silence) {
            throw new SilentSlot(this, silence);
        } catch (SandboxLostException lost) {
            throw lostBeforeRequest(lost);
        }
    }

    /**
     * Sends a command's slot its request, and waits until the slot executes it. A command whose slot may have received
     * the request stays registered whatever is thrown: see {@link #withdraw}.
     *
     * @throws IOException if the slot has ended; the command has not been executed
     * @throws SpawnException if the slot refuses the request
     * @throws SandboxUnavailableException if the remote system was lost before; the command has not been executed
     * @throws SandboxLostException if it is lost; the command may run
     */
    void run(RemoteCommand command, CommandRequest request) throws IOException {
        byte[] line = register(command, request);
        try {
            command.size();
            TerminalSettings.awaitSize(connection, command);
            command.slot().send(line, command);
            command.started(StartAnswer.pid(await(command.slot().answer()), request, source.briefly()));
            loss.requireNone();
        } catch (TimeoutException silence) {
            throw lose(loss.because(noAnswer(), silence));
        }
    }

    /** Returns whether a command takes its input in frames, since its channel cannot end it otherwise. */
    boolean framesInput(RemoteCommand command) {
        return !connection.closesHalf() && command.hasPipe();
    }

    /** Registers a command before its slot receives the request: it may run from then on. */
    private byte[] register(RemoteCommand command, CommandRequest request) {
        try {
            byte[] line = RequestLine.encode(
                    request,
                    command.shell(),
                    command.id(),
                    inside.keepAlive(),
                    inside.orphans(),
                    control.pid(),
                    framesInput(command));
            commands.put(command.id().text(), command);
            control.own(command);
            return line;
        } catch (SandboxLostException fault) {
            commands.remove(command.id().text());
            throw lostBeforeRequest(fault);
        }
    }

    private <T> T await(CompletableFuture<T> answer) throws IOException, TimeoutException {
        try {
            return answer.get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException fault) {
            loss.requireNone();
            throw new IOException(FileFaults.reason(fault.getCause() == null ? fault : fault.getCause()), fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while the command was handed over");
        }
    }

    /**
     * Returns this remote system.
     *
     * @throws SandboxLostException if it is lost
     */
    public RemoteSystem usable() {
        loss.requireNone();
        return this;
    }

    /**
     * Waits for an answer of the remote system. Call it when a connection has ended, which may be a loss.
     *
     * @throws SandboxLostException if it is lost
     */
    public void requireAnswer() {
        CompletableFuture<Void> asked =
                CompletableFuture.runAsync(control::requireAnswer, DaemonThreads.virtual("paddock-remote-ask")::start);
        AbortSignal.Registration lost = lossSignal().onAbort(() -> asked.complete(null));
        try {
            asked.join();
        } catch (CompletionException fault) {
            throw fault.getCause() instanceof ExecutorException known ? lose(known) : fault;
        } finally {
            lost.close();
        }
        loss.requireNone();
    }

    CompletionStage<Integer> signal(RemoteCommand command, Signal signal) {
        return control.signal(command, signal);
    }

    CompletionStage<Integer> kill(RemoteCommand command) {
        return control.kill(command);
    }

    byte endOfFile(RemoteCommand command) {
        return TerminalSettings.endOfFile(connection, command.greeting().pid());
    }

    void resume(RemoteCommand command) {
        control.resume(command);
    }

    /** Counts a round of SIGKILL, and ends the remote system if the command cannot be killed otherwise. */
    void endIfUnkillable(RemoteCommand command, KillRounds rounds, Duration round) {
        rounds.add(round, control.silence());
        if (LastResort.isDue(command, rounds, commands.size())) {
            commands.remove(command.id().text());
            LastResort.end(connection.backend(), command, source, this::lose);
        }
    }

    /** Releases the slot of a command that has written its last output. */
    void release(RemoteCommand command) {
        commands.remove(command.id().text());
        if (!isLost()) {
            connection.execs().end(() -> control.free(command), command.slot().end());
            // If no control shell can end the slot, close at least its connection.
            later(FREE_BOUND.toMillis(), command.slot()::close);
        }
    }

    /**
     * Ends a command that could not be started. If its slot may have received the request, kills the command; it stays
     * registered until then, so that reopening the remote system kills it after a loss.
     */
    void withdraw(RemoteCommand command) {
        command.withdrawn();
        if (!commands.containsKey(command.id().text())) {
            command.confirmEnd();
        } else if (!isLost()) {
            connection
                    .execs()
                    .end(
                            () -> DaemonThreads.virtual("paddock-remote-kill").start(() -> killWithdrawn(command)),
                            command.slot().end());
        }
    }

    private void killWithdrawn(RemoteCommand command) {
        try {
            int unused = control.killSurvivors(command);
            commands.remove(command.id().text());
            command.confirmEnd();
        } catch (ExecutorException fault) {
            SandboxLostException unused = lose(fault);
        }
    }

    void later(long millis, Runnable action) {
        CompletableFuture.delayedExecutor(
                        millis,
                        TimeUnit.MILLISECONDS,
                        task -> DaemonThreads.virtual("paddock-remote-later").start(task))
                .execute(action);
    }

    /** Handles a slot that ended without reporting: with its command, or with its remote system. */
    void slotEnded(RemoteCommand command) {
        DaemonThreads.virtual("paddock-remote-slot-end").start(() -> {
            try {
                loss.requireNone();
                int code = control.missingExitStatus(command);
                commands.remove(command.id().text());
                command.endedWith(code, 0);
            } catch (ExecutorException fault) {
                command.lost(lose(fault));
            }
        });
    }

    /**
     * Records that the remote system is lost and fails every running command at once.
     *
     * @return the first loss
     */
    private SandboxLostException lose(ExecutorException fault) {
        SandboxLostException lost = loss.of(fault);
        if (loss.record(lost)) {
            close();
        }
        return loss.known().orElse(lost);
    }

    private void lose(@Nullable String reason) {
        lose(loss.because(reason));
    }

    /** Ends every command: SIGTERM first, then SIGKILL. */
    public void endAll() {
        if (!RemoteTermination.endAll(commands())) {
            LOG.log(System.Logger.Level.WARNING, "commands were left in {0}", source.what());
        }
        commands().forEach(command -> command.endedWith(128 + Signal.KILL.number(), 0));
    }

    /** Returns the running commands; of a lost remote system, those that may still run. */
    public List<RemoteCommand> commands() {
        return new ArrayList<>(commands.values());
    }

    @Override
    public void close() {
        SandboxLostException reason = loss.giveUp();
        // First: the control shell may be starting, and closing it waits for that.
        commands().forEach(command -> command.lost(reason));
        Closeable listening = watch;
        if (listening != null) {
            CloseQuietly.close(listening);
        }
        control.close();
    }
}
