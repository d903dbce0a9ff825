package dev.paddock.benchmarks;

import java.io.IOException;
import java.util.List;

/** Measurements of one kind, which make a table of their own. */
interface Family {
    /** In the order in which they are measured. */
    List<Family> ALL = List.of(
            new Aborts(),
            new Parallel(),
            new Sustained(),
            new CpuTime(),
            new StartUp(),
            new Output(),
            new Shells(),
            new Sessions(),
            new LargeTree(),
            new InsideJvm());

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
