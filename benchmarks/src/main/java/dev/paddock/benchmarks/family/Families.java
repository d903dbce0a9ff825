package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.guest.Guests;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.remote.Remote;
import dev.paddock.benchmarks.remote.Scale;
import dev.paddock.benchmarks.workspace.Workspaces;
import java.util.List;

/** Lists the families of measurements. */
public final class Families {
    /** All families, in the order in which they are measured. */
    public static final List<Family> ALL = List.of(
            new Aborts(),
            new Parallel(),
            new Sustained(),
            new CpuTime(),
            new YoungJvm(),
            StartUp.inFewFiles(),
            StartUp.inManyPackages(),
            StartUp.atTerminal(),
            new Features(),
            new McpStart(),
            new Output(),
            new Shells(),
            new Sessions(),
            new LargeTree(),
            new Audit(),
            new AllowedHosts(),
            new Guests(),
            new Workspaces(),
            new Remote(),
            new Scale(),
            new InsideJvm());

    private Families() {}
}
