package dev.paddock.executor.caller;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The environment of the caller: the JVM's own, unless a part of the JVM runs for another caller,
 * as the command line does when a program embeds it. The only class of the product that reads the JVM's
 * environment.
 */
public final class CallerEnvironment {
    /** Inherited by the threads that a call creates, but not by the executors' threads, which inherit no locals. */
    private static final ThreadLocal<Optional<Map<String, String>>> GIVEN = new Inherited();

    private static final Set<String> USUAL = Set.of("PATH", "HOME", "LANG", "TERM", "TZ", "USER", "LOGNAME", "SHELL");

    private CallerEnvironment() {}

    private static final class Inherited extends InheritableThreadLocal<Optional<Map<String, String>>> {
        @Override
        protected Optional<Map<String, String>> initialValue() {
            return Optional.empty();
        }
    }

    /** Returns whether a variable is one that most commands on the host need and that holds no secret. */
    public static boolean isUsual(String name) {
        return USUAL.contains(name) || name.startsWith("LC_");
    }

    /** Returns the variables of the caller; unmodifiable. */
    public static Map<String, String> variables() {
        return given().orElseGet(CallerEnvironment::ofProcess);
    }

    /** Returns the variables that the current call has been given; empty if it has those of the process. */
    public static Optional<Map<String, String>> given() {
        return GIVEN.get();
    }

    /** Returns the variables of the process, for state that all callers share. */
    public static Map<String, String> ofProcess() {
        return System.getenv();
    }

    /**
     * Runs an action for a caller with other variables than the process has.
     *
     * @return what the action returns
     */
    public static <T> T with(Map<String, String> variables, Supplier<T> action) {
        Optional<Map<String, String>> before = GIVEN.get();
        GIVEN.set(Optional.of(Map.copyOf(variables)));
        try {
            return action.get();
        } finally {
            if (before.isPresent()) {
                GIVEN.set(before);
            } else {
                GIVEN.remove();
            }
        }
    }
}
