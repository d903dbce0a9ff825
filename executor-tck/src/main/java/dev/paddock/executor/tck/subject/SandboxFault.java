package dev.paddock.executor.tck.subject;

/**
 * A way in which the place where commands run can be lost (C15): its container removed, paused, its engine gone.
 *
 * @param name what happens, for the report
 * @param inflict makes it happen to the executor that the fault was supplied with
 * @param heal takes the cause away; the executor must be usable again afterwards
 */
public record SandboxFault(String name, Action inflict, Action heal) {

    /** Something that is done to the sandbox from outside. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does it.
         *
         * @throws Exception if that failed; the test fails with it
         */
        void run() throws Exception;
    }
}
