package dev.paddock.executor;

import java.util.Set;

/**
 * Whether a backend can be used here and now, as found by a probe that really uses it. There are
 * only these two kinds: a {@code switch} needs no {@code default}.
 *
 * @since 0.1
 */
public sealed interface Availability {

    /**
     * Returns whether the backend can be used.
     *
     * @return true for {@link Usable}
     */
    default boolean isUsable() {
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

    /** How certain it is that a backend cannot be used, and for how long. */
    enum Outlook {
        /** The backend definitely cannot be used until someone intervenes: it is not installed. */
        PERMANENT,
        /**
         * The backend definitely cannot be used now, and a later attempt can succeed without any
         * intervention: its engine is down.
         */
        TRANSIENT,
        /**
         * It could not be found out whether the backend can be used: it did not answer in time, or the
         * machine lacked processes or memory. A slow backend is not an unusable one.
         */
        UNDECIDED
    }

    /**
     * The backend cannot be used, or it could not be found out whether it can.
     *
     * @param reason the reason, as a phrase without a final full stop
     * @param remedy the remedy, as a sentence
     * @param outlook how certain this is, and for how long
     */
    record Unusable(String reason, String remedy, Outlook outlook) implements Availability {

        /**
         * Creates an answer for a backend that cannot be used without intervention.
         *
         * @param reason the reason, as a phrase without a final full stop
         * @param remedy the remedy, as a sentence
         */
        public Unusable(String reason, String remedy) {
            this(reason, remedy, Outlook.PERMANENT);
        }

        /**
         * Creates an answer for a backend that definitely cannot be used now.
         *
         * @param reason the reason, as a phrase without a final full stop
         * @param remedy the remedy, as a sentence
         * @param isTransient whether a later attempt can succeed without any intervention
         */
        public Unusable(String reason, String remedy, boolean isTransient) {
            this(reason, remedy, isTransient ? Outlook.TRANSIENT : Outlook.PERMANENT);
        }

        /**
         * Returns whether a later attempt can succeed without any intervention.
         *
         * @return true unless the outlook is {@link Outlook#PERMANENT}
         */
        public boolean isTransient() {
            return outlook != Outlook.PERMANENT;
        }
    }
}
