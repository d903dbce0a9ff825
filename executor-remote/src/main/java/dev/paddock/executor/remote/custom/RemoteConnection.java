package dev.paddock.executor.remote.custom;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ChannelFactory;
import java.io.Closeable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The connection of a {@link ChannelExecutor} to the remote system of its commands, from the start to its loss. Only
 * {@link #open} has no default: if each process has its own connection, a lambda is enough. Thread-safe.
 *
 * @since 0.1
 */
public interface RemoteConnection extends ChannelFactory, Closeable {
    /**
     * Returns a stage that completes with the reason when the remote system or its connection is lost. The executor
     * then fails every command with a {@link SandboxLostException}. The contract requires it within 5 seconds (C15),
     * even if the remote system falls silent.
     *
     * @return the same stage each time; by default one that never completes: the loss is then detected when a command's
     *     channel ends, and not if the remote system falls silent
     */
    default CompletionStage<String> onLoss() {
        return new CompletableFuture<>();
    }

    /**
     * Asks whether the remote system still exists. The executor calls this when a command's channel has ended without
     * the command's status, unless {@link #onLoss} has completed.
     *
     * @return the loss, not thrown; empty if the remote system can be used, and by default
     * @throws dev.paddock.executor.SandboxUnavailableException if it does not answer
     */
    default Optional<SandboxLostException> lost() {
        return Optional.empty();
    }

    /**
     * Requests an answer from the remote system, if that is how silence is detected. The executor calls this every 1.6
     * seconds, for all connections of the JVM at once: with a timer for each, the JVM and its processes would never be
     * idle (C16). Returns at once. Does nothing by default.
     */
    default void beat() {}

    /**
     * Ends the connection and releases its resources. The executor calls this once: before it reconnects after a loss,
     * or at its disposal. Does nothing by default.
     */
    @Override
    default void close() {}
}
