package dev.paddock.executor.os.posix;

import java.util.Optional;

/**
 * Ends the JVM's process by {@code _exit(2)}. The JVM's normal exit waits 300 ms if a thread is in native code, such as
 * a reader of standard input or the JDK's poller of virtual threads' sockets.
 */
public final class ProcessExit {
    private static volatile Optional<LibC> library = Optional.empty();

    private ProcessExit() {}

    static void through(LibC c) {
        library = Optional.of(c);
    }

    /**
     * Ends the process at once, without shutdown hooks, if the program has used the C library. Otherwise returns:
     * loading it takes longer than most JVMs take to exit.
     *
     * @param exitCode from 0 to 255
     */
    public static void now(int exitCode) {
        if (library.isPresent()) { // no lambda: cache training never reaches this line
            library.get().exit(exitCode);
        }
    }
}
