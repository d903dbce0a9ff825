package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The commands that a spawner has started. Settles each once; ends all if one of them prevents settling the worktree.
 */
final class StartedCommands {
    private final String name;
    private final Duration endBound;
    private final Set<SandboxedProcess> live = ConcurrentHashMap.newKeySet();
    private final Settlements settlements;

    /** Whether all commands were ended once; after that, each start checks with the guard. */
    private volatile boolean endsAll;

    /**
     * Creates an empty tracker.
     *
     * @param name the backend's name, for messages
     * @param endBound how long after the exit of a command's main process its tree may take to end
     */
    StartedCommands(String name, Duration endBound) {
        this.name = name;
        this.endBound = endBound;
        this.settlements = new Settlements(name, this::endAll);
    }

    /**
     * Adds a command that its sandbox has executed, and follows it to its settlement.
     *
     * @param process its main process, as the sandbox reports it
     * @param observed returns what it was denied
     * @return the process for the command's caller
     */
    ProcessLike follow(
            ProcessLike process,
            WarmSlot slot,
            StatusMapper mapper,
            Optional<Publication> published,
            Optional<WorktreeGuard.Command> guarded,
            Supplier<List<String>> observed) {
        CommandSettlement settlement = settlements.add(guarded, slot::describe, observed);
        SandboxedProcess followed = new SandboxedProcess(process, slot, mapper, published, settlement, endBound);
        live.add(followed);
        CompletionStage<CleanupReport> unused =
                followed.onClosed().whenComplete((done, fault) -> live.remove(followed));
        followed.follow();
        if (endsAll && Settlements.mustEndAll(guarded)) {
            followed.end();
        }
        return followed;
    }

    /** Ends a sandbox that has executed nothing, and settles its command whatever fails. */
    void discard(StartingSandbox sandbox, Optional<WorktreeGuard.Command> guarded) {
        CommandSettlement settlement = settlements.add(guarded, () -> "a sandbox that was not used", List::of);
        CompletionStage<?> end = CompletableFuture.completedStage(true);
        try {
            sandbox.discard();
            end = sandbox.onEnd();
        } finally {
            CompletionStage<Boolean> unused = end.handle((done, fault) -> {
                settlement.postpone(settlement.settle());
                settlement.close();
                return true;
            });
        }
    }

    private void endAll() {
        endsAll = true; // before the commands are listed: one that is added later sees it
        live.forEach(SandboxedProcess::end);
    }

    /** Kills every command, because they have lost a shared resource. */
    void lose(String reason) {
        live.forEach(process -> process.lose(new SandboxLostException(name, reason)));
    }

    /** Waits until every command has settled, as {@link Settlements#await} does. */
    void await(Duration bound, Optional<RuntimeException> unended) {
        settlements.await(bound, unended);
    }
}
