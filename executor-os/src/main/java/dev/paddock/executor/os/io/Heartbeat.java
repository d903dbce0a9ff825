package dev.paddock.executor.os.io;

import dev.paddock.executor.log.LateLogger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Beats for all connections and journals of this JVM at once, as long as there are any. Detects a silent server within
 * seconds (C15), and shows in a journal that commands are alive. With separate clocks the JVM and its processes would
 * never be idle (C16).
 */
public final class Heartbeat {
    private static final Logger LOG = LateLogger.of(Heartbeat.class);

    /**
     * Shorter than ssh's own keep-alive interval, so that ssh probes only a server that is late. A server that has not
     * answered by the second beat counts as silent within 5 seconds.
     */
    private static final Duration PERIOD = Duration.ofMillis(1600);

    private static final Set<Beating> MEMBERS = new LinkedHashSet<>();
    private static Optional<Thread> thread = Optional.empty();

    private Heartbeat() {}

    @FunctionalInterface
    public interface Beating {
        /** Runs the task, for example pings a server, and returns at once. */
        void beat();
    }

    /** Adds a member, whose first beat comes within a period; the first member starts the thread. */
    public static synchronized void add(Beating member) {
        MEMBERS.add(member);
        if (thread.isEmpty()) {
            thread = Optional.of(DaemonThreads.platform("paddock-heartbeat").start(Heartbeat::run));
        }
    }

    /**
     * Removes a member. The thread exits at the next beat without a member, so that consecutive commands need one
     * thread.
     */
    public static synchronized void remove(Beating member) {
        MEMBERS.remove(member);
    }

    private static void run() {
        List<Beating> members;
        do {
            pause();
            members = membersOrEnd();
            members.forEach(Heartbeat::beat);
        } while (!members.isEmpty());
    }

    /** The failure of one member does not stop the others. */
    private static void beat(Beating member) {
        try {
            member.beat();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "A heartbeat task failed; it runs again at the next beat", fault);
        }
    }

    private static void pause() {
        long until = System.nanoTime() + PERIOD.toNanos();
        for (long left = PERIOD.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static synchronized List<Beating> membersOrEnd() {
        if (MEMBERS.isEmpty()) {
            thread = Optional.empty();
        }
        return List.copyOf(MEMBERS);
    }
}
