package dev.paddock.benchmarks.measure;

import java.io.IOException;

/** Measures one subject and makes a table of it. */
public interface Family {
    /** Returns the name by which the command line selects this family. */
    String name();

    /** Returns whether it is measured only if it is named: it needs other machines. */
    default boolean isOnDemand() {
        return false;
    }

    /**
     * Measures.
     *
     * @return the figures; a row that is not available has no figures, and the table notes the
     *     reason
     * @throws IOException if the measuring itself fails
     */
    Table measure(Scope scope) throws IOException;
}
