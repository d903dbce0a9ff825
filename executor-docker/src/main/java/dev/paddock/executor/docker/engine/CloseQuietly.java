package dev.paddock.executor.docker.engine;

import java.io.Closeable;
import java.io.IOException;

/** Closes a resource and logs failures at DEBUG. */
public final class CloseQuietly {
    private static final System.Logger LOG = System.getLogger(CloseQuietly.class.getName());

    private CloseQuietly() {}

    /** Closes the resource. */
    public static void close(Closeable resource) {
        try {
            resource.close();
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection to the Docker engine failed", fault);
        }
    }
}
