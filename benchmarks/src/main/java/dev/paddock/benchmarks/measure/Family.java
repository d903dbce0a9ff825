package dev.paddock.benchmarks.measure;

import java.io.IOException;

/** Measurements of one kind, which make a table of their own. */
public interface Family {
    /** How it is asked for. */
    String name();

    /**
     * Measures.
     *
     * @return the figures; a row that cannot be had is none, it is told with its reason
     * @throws IOException if the measuring itself fails
     */
    Table measure(Scope scope) throws IOException;
}
