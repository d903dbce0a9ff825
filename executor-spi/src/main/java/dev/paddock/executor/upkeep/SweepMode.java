package dev.paddock.executor.upkeep;

import java.util.function.Supplier;

/**
 * Whether a {@linkplain BackendUpkeep#sweep sweep} ends and removes the leftovers that it finds.
 *
 * @since 0.1
 */
public enum SweepMode {
    /** Ends processes and removes resources. */
    REMOVE,

    /** Names the processes and resources that {@link #REMOVE} would act on, and leaves all of them. */
    DRY_RUN;

    /**
     * Acts on one leftover, or names the action.
     *
     * @param action the action as an infinitive with its object, such as {@code remove the directory
     *     /run/a}
     * @param removal takes the action and returns a phrase for its outcome; not called by
     *     {@link #DRY_RUN}
     * @return the phrase of the outcome, or {@code would} and the action
     */
    public String apply(String action, Supplier<String> removal) {
        return this == DRY_RUN ? "would " + action : removal.get();
    }
}
