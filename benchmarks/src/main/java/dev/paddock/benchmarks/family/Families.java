package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.remote.Remote;
import dev.paddock.benchmarks.workspace.Workspaces;
import java.util.List;

/** Lists the families of measurements: each has figures by which a user can choose. */
public final class Families {
    /** All families, in the order in which they are measured. */
    public static final List<Family> ALL = List.of(
            new Aborts(),
            new YoungJvm(),
            StartUp.inFewFiles(),
            StartUp.inManyPackages(),
            new McpStart(),
            new Output(),
            new Sessions(),
            new Workspaces(),
            new Remote());

    private Families() {}
}
