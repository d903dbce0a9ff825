package dev.paddock.executor;

import java.util.Set;

/**
 * Whether a backend can be used here and now, as found by a probe that really uses it. There are
 * only these two kinds: a {@code switch} needs no {@code default}.
 */
public sealed interface Availability {

    /**
     * Returns whether the backend can be used.
     *
     * @return true for {@link Usable}
     */
    default boolean usable() {
        return this instanceof Usable;
    }

    /**
     * The backend can be used.
     *
     * @param version the backend that was found, with its version, for people:
     *     {@code "bubblewrap 0.8.0"}
     * @param guarantees the guarantees that it has here with the default policy
     */
    record Usable(String version, Set<Guarantee> guarantees) implements Availability {
        /** Creates an answer. */
        public Usable {
            guarantees = Set.copyOf(guarantees);
        }
    }

    /**
     * The backend cannot be used.
     *
     * @param reason the reason, as a phrase without a final full stop
     * @param remedy the remedy, as a sentence
     * @param isTransient whether a later attempt can succeed without any intervention
     */
    record Unusable(String reason, String remedy, boolean isTransient) implements Availability {

        /**
         * Creates an answer for a backend that cannot be used without intervention.
         *
         * @param reason the reason, as a phrase without a final full stop
         * @param remedy the remedy, as a sentence
         */
        public Unusable(String reason, String remedy) {
            this(reason, remedy, false);
        }
    }
}
