package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.shell.ControlShell;
import dev.paddock.executor.remote.shell.MissingExitStatus;
import dev.paddock.executor.remote.shell.Script;
import dev.paddock.executor.remote.shell.Slot;
import java.io.Closeable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Signals, kills and releases a remote system's commands from inside, through its control shell, and restarts that
 * shell whenever it has exited. The commands share its user and may kill it.
 */
final class CommandControl implements Closeable {
    private static final System.Logger LOG = LateLogger.of(CommandControl.class);

    /** The timeout for an answer; later ones are not expected. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_SHELLS = 3;

    private final SystemConnection connection;
    private final SystemContext inside;
    private final Map<String, RemoteCommand> commands;
    private final Runnable requireUse;
    private final ReentrantLock lock = new ReentrantLock();
    private final SilenceMeter silence = new SilenceMeter();
    private volatile @Nullable ControlShell shell;
    private volatile boolean closed;

    /**
     * Creates the control; the first call starts its shell.
     *
     * @param commands the running commands, by their ids
     * @param requireUse throws the loss if the remote system is lost
     */
    CommandControl(
            SystemConnection connection,
            SystemContext inside,
            Map<String, RemoteCommand> commands,
            Runnable requireUse) {
        this.connection = connection;
        this.inside = inside;
        this.commands = commands;
        this.requireUse = requireUse;
    }

    /** Returns the running shell; null before the first call, and once it has exited. */
    private @Nullable ControlShell running() {
        ControlShell known = shell;
        return known == null || known.hasEnded() ? null : known;
    }

    private ControlShell shell() {
        lock.lock();
        try {
            requireUse.run();
            ControlShell usable = running();
            if (usable == null) {
                usable = ControlShell.open(connection.open(Script.BOOTSTRAP), new Notices());
                for (RemoteCommand command : commands.values()) {
                    usable.post("own", arguments(command));
                }
                shell = usable;
                if (closed) {
                    usable.close();
                }
            }
            return usable;
        } finally {
            lock.unlock();
        }
    }

    long pid() {
        return shell().pid();
    }

    private String arguments(RemoteCommand command) {
        Slot.Greeting slot = command.greeting();
        return slot.pid() + " " + slot.parent() + " " + inside.keepAlive() + " "
                + inside.orphans().word() + " " + command.id().text();
    }

    /** Calls the control shell and returns at once; another thread starts the shell if necessary. */
    private CompletableFuture<Integer> call(String verb, String arguments) {
        ControlShell running = running();
        return silence.during(
                running != null
                        ? running.call(verb, arguments)
                        : CompletableFuture.supplyAsync(
                                        this::shell, DaemonThreads.virtual("paddock-remote-control")::start)
                                .thenCompose(started -> started.call(verb, arguments)));
    }

    /** Returns how long the control shell has answered no pending call. */
    Duration silence() {
        return silence.length();
    }

    /** Notifies the control shell and returns at once, as {@code call} does. */
    private void post(String verb, String arguments) {
        ControlShell running = running();
        if (running != null) {
            running.post(verb, arguments);
        } else {
            DaemonThreads.virtual("paddock-remote-control").start(() -> postStarted(verb, arguments));
        }
    }

    private void postStarted(String verb, String arguments) {
        try {
            shell().post(verb, arguments);
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.DEBUG, "a notice could not be sent: there is no control shell", fault);
        }
    }

    /**
     * Registers a command before its slot receives the request, so that the control shell ends it even if this JVM
     * dies.
     */
    void own(RemoteCommand command) {
        shell().post("own", arguments(command));
    }

    /** Sends a signal; completes with the number of processes that it reached. */
    CompletableFuture<Integer> signal(RemoteCommand command, Signal signal) {
        return call("sig", signal.number() + " " + arguments(command));
    }

    /** Kills a command's tree; completes with the number of survivors. */
    CompletableFuture<Integer> kill(RemoteCommand command) {
        return call("end", arguments(command));
    }

    /** Lets the slot scan again for processes that its command has left. */
    void resume(RemoteCommand command) {
        post("resume", Long.toString(command.greeting().pid()));
    }

    /** Ends a slot that has written its last output. */
    void free(RemoteCommand command) {
        post("free", Long.toString(command.greeting().pid()));
    }

    /**
     * Kills a command's tree and its slot, and waits for that. Success also shows that the remote system is alive: a
     * killed one reports its end after its commands have ended.
     *
     * @return how many processes survive
     * @throws ExecutorException if the remote system does not answer
     */
    int killSurvivors(RemoteCommand command) {
        return await(() -> call("kill_survivors", arguments(command)));
    }

    /**
     * Waits for any answer of the remote system.
     *
     * @throws ExecutorException if it does not answer
     */
    void requireAnswer() {
        int unused = await(() -> call("answer", ""));
    }

    private int await(Supplier<CompletableFuture<Integer>> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get().get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException silence) {
                throw new SandboxLostException(connection.backend(), "no answer from '" + inside.id() + "'", silence);
            } catch (ExecutionException fault) {
                if (cause(fault) instanceof ExecutorException known) {
                    throw known;
                }
                // The command may have killed the control shell along with everything else that it could reach: start a
                // new one.
                if (attempt == MAX_SHELLS) {
                    throw new SandboxLostException(
                            connection.backend(), "its control shell has ended repeatedly", fault);
                }
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted while '" + inside.id() + "' was asked");
            }
        }
    }

    private static @Nullable Throwable cause(ExecutionException fault) {
        return fault.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : fault.getCause();
    }

    /**
     * Determines the exit code of a command whose slot ended without reporting it, and kills the command's leftovers.
     *
     * @throws ExecutorException if it ended with the remote system, or the remote system does not answer
     */
    int missingExitStatus(RemoteCommand command) {
        connection.lost().ifPresent(loss -> {
            throw loss;
        });
        int code = MissingExitStatus.of(command.slot().channel())
                .orElseThrow(() -> new SandboxLostException(
                        connection.backend(), "the connection to a command ended while it ran"));
        killSurvivors(command);
        return code;
    }

    /** Ends the shell. Does not wait for one that is starting: that one is ended once it runs. */
    @Override
    public void close() {
        closed = true;
        ControlShell running = shell;
        if (running != null) {
            running.close();
        }
    }

    private final class Notices implements ControlShell.Listener {
        @Override
        public void notice(String[] words) {
            RemoteCommand command = commands.get(words[1]);
            if (command == null) {
                return;
            }
            switch (words[0]) {
                case "exit" -> command.exited(Integer.parseInt(words[2]) & 0xff, Long.parseLong(words[3]));
                case "left" -> command.left();
                default -> command.done();
            }
        }

        @Override
        public void ended() {
            // When the control shell exits, it ends every command that it knew; running commands need a new one at
            // once.
            if (!commands.isEmpty()) {
                post("resume", "0");
            }
        }
    }
}
