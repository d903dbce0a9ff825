package dev.paddock.cli.terminal;

import dev.paddock.executor.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Handles Ctrl-C (SIGINT), SIGTERM and SIGHUP. The first signal aborts the current work with its grace; a second one
 * ends it at once; a third one halts the JVM, and leaves the commands to the reaper, which watches for the JVM's death.
 * The count {@linkplain #restartCount restarts} for each piece of work.
 *
 * <p>SIGTERM and SIGHUP, which nobody repeats, also set a deadline: the JVM is halted if it has not exited 4 s later,
 * whatever an executor waits for.
 */
public final class Interrupts {
    /** 5 s, less the time to notice the signal and to halt on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    /** The longest wait for a message, since nobody may be reading it. */
    private static final Duration LAST_WORDS = Duration.ofMillis(100);

    private static final List<Signal> SIGNALS = List.of(Signal.INT, Signal.TERM, Signal.HUP);

    private final Thread installer = new Thread(this::install, "paddock-signals");
    private final Console console;
    private Optional<Work> work = Optional.empty();
    private volatile Runnable lastAct = () -> {};
    private int received;

    /** Work that a signal ends. */
    public interface Work {
        /**
         * Ends the work with its grace.
         *
         * @param exitCode the program's exit code
         */
        void end(int exitCode);

        /** Ends the work at once. */
        void endAtOnce();
    }

    private Interrupts(Console console) {
        this.console = console;
    }

    /**
     * Installs the signal handlers. Until there is work to end, a signal exits the program.
     *
     * <p>Installs them on a thread while the caller continues, because that takes as long as the rest of a start.
     */
    public static Interrupts catching(Console console) {
        Interrupts interrupts = new Interrupts(console);
        interrupts.installer.setDaemon(true);
        interrupts.installer.start();
        return interrupts;
    }

    /** Sets the work that a signal ends, instead of exiting the program. */
    public void handTo(Work toEnd) {
        try {
            installer.join();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException("the main thread was interrupted", unexpected);
        }
        synchronized (this) {
            work = Optional.of(toEnd);
        }
    }

    /** Sets an action that runs before the JVM is halted, which runs no shutdown hooks. */
    public void beforeHalt(Runnable action) {
        lastAct = action;
    }

    /** Ends the program's process; returns if it has none of its own. */
    public void exit(int exitCode) {
        console.process().exit(exitCode);
    }

    private void halt(int exitCode) {
        lastAct.run();
        console.process().halt(exitCode);
    }

    /** Restarts the count: later signals refer to other work. */
    public synchronized void restartCount() {
        received = 0;
    }

    /** Handles a signal, or a key that means one. */
    public void receive(Signal signal) {
        int exitCode = 128 + signal.number();
        if (!signal.equals(Signal.INT)) {
            haltAfter(PATIENCE, exitCode);
        }
        Optional<Work> toEnd;
        int count;
        synchronized (this) {
            toEnd = work;
            count = ++received;
        }
        if (count > 2) {
            halt(exitCode);
        } else if (toEnd.isEmpty()) {
            exit(exitCode);
        } else if (count == 1) {
            toEnd.get().end(exitCode);
        } else {
            toEnd.get().endAtOnce();
        }
    }

    /**
     * Halts the JVM if it still runs after a time. Not by the usual exit, which waits for shutdown hooks and for the
     * thread that is already exiting.
     */
    private void haltAfter(Duration patience, int exitCode) {
        daemon("paddock-deadline", () -> {
            pause(patience);
            // On a separate thread: nobody may be reading standard error.
            daemon(
                    "paddock-last-words",
                    () -> console.err()
                            .println("paddock: ended by a signal, although commands or a sandbox did not end"
                                    + " within " + patience.toSeconds() + " s; 'paddock gc' removes the leftovers"));
            pause(LAST_WORDS);
            halt(exitCode);
        });
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException("the deadline's thread was interrupted", unexpected);
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Installs a handler for each signal. A shutdown hook alone is not enough: once its hooks run, the JVM ignores
     * further signals, including a second Ctrl-C.
     */
    private void install() {
        for (Signal signal : SIGNALS) {
            console.process().onSignal(signal.name(), () -> receive(signal));
        }
    }
}
