package dev.paddock.executor.remote.shell;

import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a shell that may have been stopped: once the buffers on the way to it are full, a write would block until
 * it continues.
 */
final class BoundedWrite {
    private static final long SECONDS = 10;

    private BoundedWrite() {}

    /**
     * Writes, and closes the channel if that takes 10 seconds.
     *
     * @throws IOException if the channel is closed, or not everything could be written in time
     */
    static void to(ShellChannel channel, byte[] bytes) throws IOException {
        CompletableFuture<Void> written = new CompletableFuture<>();
        CompletableFuture<Void> guard = written.copy().orTimeout(SECONDS, TimeUnit.SECONDS);
        CompletableFuture<Void> unused = guard.exceptionally(late -> {
            channel.close();
            return null;
        });
        try {
            channel.input().write(bytes);
        } finally {
            written.complete(null);
        }
    }
}
