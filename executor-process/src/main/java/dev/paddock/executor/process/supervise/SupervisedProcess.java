package dev.paddock.executor.process.supervise;

import dev.paddock.executor.ProcessLike;
import java.util.concurrent.CompletionStage;

/**
 * A supervised command, whose processes can outlive its close while they are blocked in the kernel.
 *
 * @since 0.1
 */
public interface SupervisedProcess extends ProcessLike {

    /**
     * Returns a stage for the end of the whole process tree. The supervisor repeats SIGKILL until then, even after
     * {@link #onClosed}.
     *
     * @return completes normally, before {@code onClosed} unless processes are blocked in the kernel; exceptionally if
     *     the tree cannot be searched
     */
    CompletionStage<?> onTreeEnd();

    /**
     * Describes the remaining processes, for messages.
     *
     * @return their ids
     */
    String describe();
}
