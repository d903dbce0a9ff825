package dev.paddock.executor.docker;

import java.io.Closeable;
import java.io.IOException;

/** Closing what has served its purpose: there is nothing to be done if that fails, but it is told. */
final class Quiet {
    private static final System.Logger LOG = System.getLogger(Quiet.class.getName());

    private Quiet() {}

    static void close(Closeable resource) {
        try {
            resource.close();
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection to the Docker engine failed", fault);
        }
    }
}
