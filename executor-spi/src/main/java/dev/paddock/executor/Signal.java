package dev.paddock.executor;

import org.jspecify.annotations.Nullable;

/**
 * A POSIX signal, by the number that Linux gives it. Executors whose platform numbers signals
 * differently translate.
 *
 * @param number 1 to {@value #MAX}
 * @since 0.1
 */
public record Signal(int number) {

    /** The highest signal number, Linux's {@code SIGRTMAX}. */
    public static final int MAX = 64;

    /** Hang-up. */
    public static final Signal HUP = new Signal(1);

    /** Interrupt, sent by Ctrl-C. */
    public static final Signal INT = new Signal(2);

    /** Quit. */
    public static final Signal QUIT = new Signal(3);

    /** Abort: a process sends it to itself. */
    public static final Signal ABRT = new Signal(6);

    /** Kill; cannot be caught. */
    public static final Signal KILL = new Signal(9);

    /** User-defined signal 1. */
    public static final Signal USR1 = new Signal(10);

    /** Segmentation fault. */
    public static final Signal SEGV = new Signal(11);

    /** User-defined signal 2. */
    public static final Signal USR2 = new Signal(12);

    /** Broken pipe. */
    public static final Signal PIPE = new Signal(13);

    /** Terminate: asks the process to end; can be caught. */
    public static final Signal TERM = new Signal(15);

    /** Continue after a stop. */
    public static final Signal CONT = new Signal(18);

    /** Stop; cannot be caught. */
    public static final Signal STOP = new Signal(19);

    private static final String[] NAMES = {
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS"
    };

    /**
     * Creates a signal.
     *
     * @throws IllegalArgumentException if the number is not within 1 to {@value #MAX}
     */
    public Signal {
        if (number < 1 || number > MAX) {
            throw new IllegalArgumentException("signal number is not within 1 to " + MAX + ": " + number);
        }
    }

    // By hand: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Signal that && number == that.number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    /**
     * Returns the name without its prefix, in the form that {@code kill} accepts: {@code "TERM"}.
     *
     * @return the name; the number in digits for a real-time signal, which has no name of its own
     */
    public String name() {
        return number <= NAMES.length ? NAMES[number - 1] : Integer.toString(number);
    }

    /**
     * Returns the name with its prefix.
     *
     * @return {@code "SIGTERM"}; {@code "signal 40"} for a real-time signal
     */
    @Override
    public String toString() {
        return number <= NAMES.length ? "SIG" + name() : "signal " + number;
    }
}
