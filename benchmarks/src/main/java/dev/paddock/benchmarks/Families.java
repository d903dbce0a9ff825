package dev.paddock.benchmarks;

import java.util.List;

/** Lists the families of measurements. */
final class Families {
    /** In the order in which they are measured. */
    static final List<Family> ALL = List.of(
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

    private Families() {}
}
