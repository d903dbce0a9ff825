package dev.paddock.executor.observe;

import dev.paddock.executor.SpawnOptions;
import java.util.concurrent.CompletionStage;

/**
 * Observes one command that has started. Its methods must not block. What they throw, errors too, is logged, and
 * changes nothing for the command's caller.
 *
 * @see ObservedProcess#of(dev.paddock.executor.ProcessLike, SpawnOptions, CommandObserver)
 * @since 0.1
 */
@FunctionalInterface
public interface CommandObserver {

    /**
     * The caller has read output. Called by the thread that reads.
     *
     * @param bytes how many bytes, at least one
     */
    default void outputRead(int bytes) {}

    /**
     * The command has closed. Called once, after its exit has been reported and before its close is.
     *
     * @param end how it ended
     * @param output completes when the caller has read or closed both streams, and a second later at the latest, since
     *     a caller may never read them
     */
    void closed(CommandEnd end, CompletionStage<OutputCount> output);
}
