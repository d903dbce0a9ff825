package dev.paddock.executor.sandbox.spawn;

import java.io.IOException;

/**
 * A sandbox that is being set up. The setup goes on while the {@link SandboxedSpawner} checks the worktree; both methods are
 * called from the thread that has started it.
 */
public interface StartingSandbox {

    /**
     * Waits until the sandbox can take a command.
     *
     * @return the sandbox
     * @throws IOException if the setup failed
     */
    WarmSlot await() throws IOException;

    /** Ends the sandbox whether or not it was awaited, or {@link #await} failed. Called at most once. */
    void discard();

    /**
     * A sandbox whose setup needs no wait.
     *
     * @param slot the sandbox
     * @return the sandbox, as one that is being set up
     */
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
        };
    }
}
