package dev.paddock.executor.sandbox.spawn;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A sandbox whose setup continues while the {@link SandboxedSpawner} checks the worktree. The thread that started the
 * sandbox calls both methods.
 */
public interface StartingSandbox {

    /**
     * Waits until the sandbox can take a command.
     *
     * @throws IOException if the setup failed
     */
    WarmSlot await() throws IOException;

    /** Ends the sandbox, whether or not {@link #await} was called or failed. Called at most once. */
    void discard();

    /**
     * Returns a stage for the end of a discarded sandbox, as {@link WarmSlot#onEnd} does.
     *
     * @return completes normally; by default complete: {@link #discard} has ended every process
     */
    default CompletionStage<?> onEnd() {
        return CompletableFuture.completedStage(true);
    }

    /** Wraps a sandbox whose setup needs no wait. */
    static StartingSandbox started(WarmSlot slot) {
        return new StartingSandbox() {
            @Override
            public WarmSlot await() {
                return slot;
            }

            @Override
            public void discard() {
                slot.discard();
            }

            @Override
            public CompletionStage<?> onEnd() {
                return slot.onEnd();
            }
        };
    }
}
