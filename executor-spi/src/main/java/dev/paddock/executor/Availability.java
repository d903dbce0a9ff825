package dev.paddock.executor;

import java.util.Set;

/**
 * Whether a backend can be used here and now, as probed by really using it. The two kinds are all there are: a {@code switch}
 * needs no {@code default}.
 */
public sealed interface Availability {

    /**
     * Whether it can be used.
     *
     * @return true for {@link Usable}
     */
    default boolean usable() {
        return this instanceof Usable;
    }

    /**
     * It can be used.
     *
     * @param version what was found, for people: {@code "bubblewrap 0.8.0"}
     * @param guarantees what it would guarantee here, with the default policy
     */
    record Usable(String version, Set<Guarantee> guarantees) implements Availability {
        /** Makes an answer. */
        public Usable {
            guarantees = Set.copyOf(guarantees);
        }
    }

    /**
     * It cannot be used.
     *
     * @param reason why not, as a phrase without a final full stop
     * @param remedy what helps, as a sentence
     * @param isTransient whether trying again later can help without anybody doing anything
     */
    record Unusable(String reason, String remedy, boolean isTransient) implements Availability {

        /**
         * It cannot be used until somebody does something.
         *
         * @param reason why not, as a phrase without a final full stop
         * @param remedy what helps, as a sentence
         */
        public Unusable(String reason, String remedy) {
            this(reason, remedy, false);
        }
    }
}
