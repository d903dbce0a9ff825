package dev.paddock.executor.docker.command;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.remote.shell.ControlShell;
import dev.paddock.executor.remote.shell.MissingExitStatus;
import dev.paddock.executor.remote.shell.Slot;
import java.io.Closeable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is done to a container's commands from inside: by its control shell, which is made anew whenever it has ended. The
 * commands share its user and may end it.
 */
final class CommandControl implements Closeable {
    private static final System.Logger LOG = System.getLogger(CommandControl.class.getName());

    /** An answer that takes longer does not come. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final int MOST_SHELLS = 3;

    private final Engine engine;
    private final ContainerContext inside;
    private final Map<String, ContainerCommand> commands;
    private final Runnable requireUse;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ControlShell shell;

    /**
     * Makes one; its shell is started with the first call.
     *
     * @param commands those that run, by their ids
     * @param requireUse throws what the container was lost by
     */
    CommandControl(
            Engine engine, ContainerContext inside, Map<String, ContainerCommand> commands, Runnable requireUse) {
        this.engine = engine;
        this.inside = inside;
        this.commands = commands;
        this.requireUse = requireUse;
    }

    private ControlShell shell() {
        lock.lock();
        try {
            requireUse.run();
            if (shell == null) {
                shell = ControlShell.open(inside.open(engine, false), new Notices());
                for (ContainerCommand command : commands.values()) {
                    shell.tell("own", arguments(command));
                }
            }
            return shell;
        } finally {
            lock.unlock();
        }
    }

    /** The shell's process id, inside. */
    long pid() {
        return shell().pid();
    }

    private String arguments(ContainerCommand command) {
        Slot.Greeting slot = command.inside();
        return slot.pid() + " " + slot.parent() + " " + inside.keepAlive() + " "
                + inside.orphans().word() + " " + command.id().text();
    }

    private CompletableFuture<Integer> call(String verb, String arguments) {
        try {
            return shell().call(verb, arguments);
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private void tell(String verb, String arguments) {
        try {
            shell().tell(verb, arguments);
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.DEBUG, "there is no control shell to tell", fault);
        }
    }

    /** Before a command gets its order, so that it is known by the time it runs, whatever becomes of this JVM. */
    void own(ContainerCommand command) {
        shell().tell("own", arguments(command));
    }

    /** Completes with the number of processes that were reached. */
    CompletableFuture<Integer> signal(ContainerCommand command, Signal signal) {
        return call("sig", signal.number() + " " + arguments(command));
    }

    /** Ends a command's tree; completes with the number of processes that are left. */
    CompletableFuture<Integer> kill(ContainerCommand command) {
        return call("end", arguments(command));
    }

    /** The slot looks again at what its command has left. */
    void resume(ContainerCommand command) {
        tell("resume", Long.toString(command.inside().pid()));
    }

    /** Ends a slot that has said its last word. */
    void free(ContainerCommand command) {
        tell("free", Long.toString(command.inside().pid()));
    }

    /** Ends the tree and the slot of a command that nobody waits for. */
    void discard(ContainerCommand command) {
        CompletionStage<Integer> ended = call("kill_survivors", arguments(command));
        ended.whenComplete((left, gone) -> command.restoreWorktree());
    }

    /**
     * Ends a command's tree and its slot, and waits for that. That it can be done shows besides that the container lives: one
     * that is killed takes a while to say so, and its commands end before.
     *
     * @return how many processes are left all the same
     * @throws ExecutorException if the container does not answer
     */
    int killSurvivors(ContainerCommand command) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call("kill_survivors", arguments(command)).get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException silence) {
                throw new SandboxLostException(Engine.BACKEND, "no answer from the container", silence);
            } catch (ExecutionException fault) {
                if (fault.getCause() instanceof ExecutorException known) {
                    throw known;
                }
                // The command may have ended the control shell with all that it could reach: a new one is made.
                if (attempt == MOST_SHELLS) {
                    throw new SandboxLostException(Engine.BACKEND, "its control shell ends again and again", fault);
                }
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted while a command was ended");
            }
        }
    }

    /**
     * Finds out how a command ended whose slot has gone without a word, and ends what it may have left.
     *
     * @throws ExecutorException if it ended with the container, or the engine cannot be asked
     */
    int missingExitStatus(ContainerCommand command) {
        ContainerState state = ContainerState.of(engine, inside.container());
        if (!state.usable()) {
            throw new SandboxLostException(Engine.BACKEND, state.describe());
        }
        int code = MissingExitStatus.of(command.slot().channel())
                .orElseThrow(() ->
                        new SandboxLostException(Engine.BACKEND, "the connection to a command ended while it ran"));
        killSurvivors(command);
        return code;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (shell != null) {
                shell.close();
            }
        } finally {
            lock.unlock();
        }
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
            lock.lock();
            try {
                shell = null;
            } finally {
                lock.unlock();
            }
            // Its end ends every command that it knew: whoever runs on needs a new one at once.
            if (!commands.isEmpty()) {
                Thread.startVirtualThread(() -> tell("resume", "0"));
            }
        }
    }
}
