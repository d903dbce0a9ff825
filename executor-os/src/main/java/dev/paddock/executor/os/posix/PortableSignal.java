package dev.paddock.executor.os.posix;

import dev.paddock.executor.log.LateLogger;
import java.util.Optional;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;

/** Sends signals through jnr-posix, on systems whose C library Paddock has no bindings for. */
public final class PortableSignal {

    /** Loaded at the first use: jnr-posix takes 100 ms to load, which must delay no start. */
    private static final class Holder {
        static final Optional<POSIX> POSIX = find();
    }

    private PortableSignal() {}

    /**
     * Sends a signal.
     *
     * @param pid the process's id
     * @param number the signal's number on this platform; 0 to check whether the process exists
     * @return whether the process existed and the JVM may signal it; empty where jnr-posix has no native call
     */
    public static Optional<Boolean> send(long pid, int number) {
        return Holder.POSIX.map(posix -> posix.kill(Math.toIntExact(pid), number) == 0);
    }

    private static Optional<POSIX> find() {
        try {
            return Optional.of(POSIXFactory.getPOSIX()).filter(POSIX::isNative);
        } catch (LinkageError | RuntimeException unusable) {
            LateLogger.of(PortableSignal.class)
                    .log(System.Logger.Level.DEBUG, "jnr-posix cannot be used here", unusable);
            return Optional.empty();
        }
    }
}
