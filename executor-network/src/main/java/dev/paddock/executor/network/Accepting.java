package dev.paddock.executor.network;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Accepts connections until the listening socket is closed. */
final class Accepting {
    static final System.Logger LOG = LateLogger.of(Accepting.class);

    /** How long to wait when the JVM has no descriptor left. */
    private static final long PAUSE_NANOS = 50_000_000;

    private Accepting() {}

    /**
     * Accepts connections on its own thread. The kernel releases a closed listening socket only when that thread exits.
     */
    static Thread start(ServerSocketChannel listener, Consumer<SocketChannel> action) {
        return DaemonThreads.virtual("paddock-accept").start(() -> run(listener, action));
    }

    private static void run(ServerSocketChannel listener, Consumer<SocketChannel> action) {
        while (listener.isOpen()) {
            try {
                action.accept(listener.accept());
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException fault) {
                LOG.log(System.Logger.Level.WARNING, "A connection of a command could not be accepted", fault);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
