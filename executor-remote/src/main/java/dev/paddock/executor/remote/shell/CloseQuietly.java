package dev.paddock.executor.remote.shell;

import dev.paddock.executor.log.LateLogger;
import java.io.Closeable;
import java.io.IOException;

/** Closes a resource and logs failures at DEBUG. */
public final class CloseQuietly {
    private static final System.Logger LOG = LateLogger.of(CloseQuietly.class);

    private CloseQuietly() {}

    public static void close(Closeable resource) {
        try {
            resource.close();
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", fault);
        }
    }
}
