package dev.paddock.executor.tck.subject;

/**
 * A way in which the sandbox can be lost (C15): its container is removed or
 * paused, or its engine stops.
 *
 * @param name describes the fault in the report
 * @param inflict inflicts the fault on the executor that the fault was supplied with
 * @param heal removes the cause; the executor must be usable again afterwards
 * @since 0.1
 */
public record SandboxFault(String name, Action inflict, Action heal) {

    /** An action on the sandbox from outside. */
    @FunctionalInterface
    public interface Action {
        /**
         * Performs the action.
         *
         * @throws Exception if that failed; the test fails with it
         */
        void run() throws Exception;
    }
}
