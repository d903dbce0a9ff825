package dev.paddock.executor.remote.command;

import dev.paddock.executor.SandboxLostException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Ends a remote system in which a command cannot be killed. A command shares its user with the control shell that would
 * kill it, and with the engine's own process while that starts another process in the remote system; it can stop both.
 * The engine then keeps its lock on the remote system until that process continues.
 */
final class LastResort {
    /** How long SIGKILL is repeated for the only command of a remote system. */
    private static final Duration KILL_BOUND = Duration.ofSeconds(2);

    /** How long it is repeated while other commands run in the remote system, which would end with it. */
    private static final Duration KILL_BOUND_AMONG_OTHERS = Duration.ofSeconds(10);

    private LastResort() {}

    /**
     * Returns whether a command must be ended together with its remote system; true once, for the caller that must do
     * it.
     *
     * @param rounds in which SIGKILL has been sent to the command
     * @param commands how many commands run in the remote system
     */
    static boolean isDue(RemoteCommand command, KillRounds rounds, int commands) {
        Duration bound = commands > 1 ? KILL_BOUND_AMONG_OTHERS : KILL_BOUND;
        boolean due = rounds.isUnanswered() || rounds.killing().compareTo(bound) >= 0;
        return due && !command.onClosed().toCompletableFuture().isDone() && command.endWithSystem();
    }

    /**
     * Ends the remote system and settles the command; if that is impossible, the command is lost.
     *
     * @param lose fails the other commands, and returns the loss
     */
    static void end(
            String backend, RemoteCommand command, RemoteProvider source, UnaryOperator<SandboxLostException> lose) {
        String what = source.what();
        if (source.end()) {
            SandboxLostException unused = lose.apply(new SandboxLostException(
                    backend, what + " was ended, since a command in it could not be killed otherwise"));
            command.endedWithSystem();
        } else {
            command.lost(lose.apply(new SandboxLostException(
                    backend,
                    "a command in " + what + " could not be killed, since neither its processes nor its manager answer;"
                            + " " + source.remedy())));
        }
    }
}
