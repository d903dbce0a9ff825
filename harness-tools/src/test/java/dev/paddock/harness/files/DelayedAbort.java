package dev.paddock.harness.files;

import dev.paddock.executor.AbortController;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Aborts a call while it runs. */
final class DelayedAbort {
    private DelayedAbort() {}

    static void abortIn(AbortController controller, Duration after) {
        CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> controller.abort("enough"));
    }
}
