package dev.paddock.executor.process.supervise;

import dev.paddock.executor.process.launch.ChildProcess;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tracks the processes that a supervisor has started and not yet released.
 *
 * @param starting the number of starts in progress
 * @param spare processes that are not commands, or not yet
 * @param live commands
 * @param kept commands whose main process has exited, and whose other processes live until disposal
 */
record StartedProcesses(
        AtomicInteger starting, Set<ChildProcess> spare, Set<SupervisedCommand> live, Set<SupervisedCommand> kept) {

    StartedProcesses() {
        this(
                new AtomicInteger(),
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet());
    }

    /**
     * Checks the sets in the order in which a process moves through them: it enters the next set before it leaves the
     * last.
     */
    boolean isEmpty() {
        return starting.get() == 0 && spare.isEmpty() && live.isEmpty() && kept.isEmpty();
    }

    /** Returns the exit futures of all currently tracked processes. */
    List<CompletableFuture<?>> ends() {
        return Stream.concat(
                        commands().map(SupervisedCommand::onTreeEnd),
                        spare.stream().map(ChildProcess::ended))
                .collect(Collectors.toList());
    }

    /** Returns the processes' names, for messages; an empty string if there are none. */
    String describe() {
        return Stream.concat(
                        commands().map(SupervisedCommand::describe),
                        spare.stream().map(child -> "process " + child.pid()))
                .collect(Collectors.joining("; "));
    }

    private Stream<SupervisedCommand> commands() {
        return Stream.concat(live.stream(), kept.stream());
    }
}
