package dev.paddock.executor;

import java.util.OptionalLong;

/**
 * How a command's main process ended. A status other than success is a result, not a failure of the
 * executor.
 *
 * <p>The contract closes the kinds: no release adds one, so that a {@code switch} over them needs
 * no {@code default}.
 *
 * @since 0.1
 */
public sealed interface ExitStatus {

    /**
     * Returns the status as a shell would report it.
     *
     * @return 0 to 255; 128 + n for a signal
     */
    int code();

    /**
     * Returns whether the command exited with 0.
     *
     * @return true for {@code Exited(0)} only
     */
    default boolean isSuccess() {
        return this instanceof Exited exited && exited.code() == 0;
    }

    /**
     * Returns the status for a number that follows the shell's convention, for backends that report
     * nothing more exact: 128 + n is taken for signal n. Executors that distinguish
     * {@code exit 137} from death by KILL claim {@link Guarantee#EXACT_STATUS} and do not need this
     * method.
     *
     * @param code the number; only its lowest eight bits count
     * @return {@link Signaled} for 129 to 192, {@link Exited} otherwise
     */
    static ExitStatus ofShellCode(int code) {
        int eightBits = code & 0xff;
        int signal = eightBits - 128;
        return signal >= 1 && signal <= Signal.MAX ? new Signaled(new Signal(signal)) : new Exited(eightBits);
    }

    /**
     * The process exited.
     *
     * @param code its exit code, 0 to 255
     */
    record Exited(int code) implements ExitStatus {
        /**
         * Creates a status.
         *
         * @throws IllegalArgumentException if the code is not within 0 to 255
         */
        public Exited {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("exit code is not within 0 to 255: " + code);
            }
        }
    }

    /**
     * A signal ended the process.
     *
     * @param signal the signal
     */
    record Signaled(Signal signal) implements ExitStatus {
        @Override
        public int code() {
            return 128 + signal.number();
        }
    }

    /**
     * The process was ended because its memory limit, or the machine's memory, was exhausted: ended
     * by KILL or with 137 while the cgroup's {@code oom_kill} count, or the engine's {@code oom}
     * event, rose.
     *
     * @param limitBytes the limit in force, in bytes; empty if there was none or it is not known
     */
    record OutOfMemory(OptionalLong limitBytes) implements ExitStatus {
        @Override
        public int code() {
            return 128 + Signal.KILL.number();
        }
    }
}
