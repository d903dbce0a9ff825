package dev.paddock.executor.remote.command;

import dev.paddock.executor.Signal;
import dev.paddock.executor.process.end.TerminationLadder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Signals and ends the processes of a command, by the remote system's control shell. */
final class RemoteTermination implements TerminationLadder.Target {
    /** Repeats SIGKILL until the command has closed, or its remote system is lost. */
    private static final TerminationLadder.Pacing PACING =
            new TerminationLadder.Pacing(Duration.ofMillis(20), Duration.ofMillis(40), Duration.ofDays(1));

    private static final long ANSWER_MILLIS = 2_000;

    /** SIGKILL is repeated, so that a late answer need not be awaited. */
    private static final long KILL_ANSWER_MILLIS = 300;

    /** The grace for SIGTERM at disposal; with the time for SIGKILL it stays within the 10 s of C11. */
    private static final Duration DISPOSAL_GRACE = Duration.ofSeconds(2);

    private static final Duration DISPOSAL_KILL = Duration.ofSeconds(4);

    private final RemoteSystem remote;
    private final RemoteCommand command;
    private final CompletableFuture<?> closed;
    private final TerminationLadder ladder;
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final KillRounds rounds =
            new KillRounds(Duration.ofMillis(KILL_ANSWER_MILLIS).plus(PACING.longest()));
    private volatile int leftovers;

    RemoteTermination(RemoteSystem remote, RemoteCommand command, CompletableFuture<?> closed) {
        this.remote = remote;
        this.command = command;
        this.closed = closed;
        this.ladder = new TerminationLadder(this, (delay, task) -> remote.later(delay.toMillis(), task), PACING);
    }

    /** Ends commands, SIGTERM first, then SIGKILL; returns whether all have closed in time. */
    static boolean endAll(List<RemoteCommand> commands) {
        commands.forEach(command -> command.end(DISPOSAL_GRACE));
        try {
            CompletableFuture.allOf(commands.stream()
                            .map(command -> command.onClosed().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(DISPOSAL_GRACE.plus(DISPOSAL_KILL).toMillis(), TimeUnit.MILLISECONDS);
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

    /** Returns how many processes the command had left running at its exit. */
    int leftovers() {
        return leftovers;
    }

    /** Signals the command's processes; returns whether it reached one. Bounded. */
    boolean send(Signal signal) {
        if (signal.equals(Signal.KILL)) {
            // Repeated if the command is still there then.
            remote.later(ANSWER_MILLIS, () -> end(Duration.ZERO));
            return answer(remote.kill(command).thenApply(left -> 1), ANSWER_MILLIS) > 0;
        }
        return answer(remote.signal(command, signal), ANSWER_MILLIS) > 0;
    }

    /** Returns the control shell's answer, 1 if it does not arrive in time, 0 if the shell has exited. */
    private static int answer(CompletionStage<Integer> reached, long millis) {
        return reached.toCompletableFuture()
                .completeOnTimeout(1, millis, TimeUnit.MILLISECONDS)
                .exceptionally(ended -> 0)
                .join();
    }

    /** Sends SIGTERM, and SIGKILL after the grace period. Returns at once. */
    void end(Duration grace) {
        if (!closed.isDone()) {
            remote.later(0, () -> ladder.start(grace));
        }
    }

    /** Ends the command's leftovers, at the first call (C8). Returns at once. */
    void endLeftovers(Duration grace) {
        if (leaving.compareAndSet(false, true)) {
            remote.later(0, () -> ladder.endLeftovers(grace, this::anyLeft));
        }
    }

    /**
     * Lets the slot scan again; it stops again if processes are left. A SIGCONT that arrives before the slot has
     * stopped itself is lost, so it is sent repeatedly.
     */
    private boolean anyLeft() {
        if (!closed.isDone()) {
            remote.resume(command);
        }
        return !closed.isDone();
    }

    @Override
    public CompletableFuture<?> onEnd() {
        return closed;
    }

    @Override
    public void terminate() {
        signalTree(Signal.TERM);
    }

    @Override
    public void wake() {
        signalTree(Signal.CONT);
    }

    private void signalTree(Signal signal) {
        int reached = answer(remote.signal(command, signal), ANSWER_MILLIS);
        if (leaving.get()) {
            leftovers = reached;
        }
    }

    @Override
    public void kill() {
        long begun = System.nanoTime();
        int unused = answer(remote.kill(command), KILL_ANSWER_MILLIS);
        Duration round = Duration.ofNanos(System.nanoTime() - begun).plus(PACING.longest());
        remote.endIfUnkillable(command, rounds, round);
    }
}
