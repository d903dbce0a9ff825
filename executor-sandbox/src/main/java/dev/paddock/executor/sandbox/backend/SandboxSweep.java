package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.upkeep.SweepMode;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** Removes a backend's directories and cgroups whose executors ran in JVMs that are proven dead. */
public final class SandboxSweep {
    private static final System.Logger LOG = LateLogger.of(SandboxSweep.class);

    private SandboxSweep() {}

    /**
     * Sweeps on the calling thread.
     *
     * @param backend the backend's name
     * @param groups the cgroups of this machine
     * @param mode whether to remove or only list them
     * @return a phrase for each directory or cgroup that was removed or would be, and for each that could not be
     */
    public static List<String> run(String backend, ControlGroups groups, SweepMode mode) {
        List<String> done = new ArrayList<>(PrivateState.sweep(backend, mode));
        done.addAll(groups.sweep(backend, mode));
        return done;
    }

    /**
     * Sweeps as {@link #run} does, after ending the processes that commands and sandboxes of dead JVMs left on this
     * machine, of any backend.
     *
     * @param backend the backend's name
     * @param groups the cgroups of this machine
     * @param mode whether to end and remove, or only list them
     * @return a phrase for each process as well
     */
    public static List<String> withProcesses(String backend, ControlGroups groups, SweepMode mode) {
        List<String> done = new ArrayList<>(HostSweep.run(mode));
        done.addAll(run(backend, groups, mode));
        return done;
    }

    /**
     * Sweeps on a background thread.
     *
     * @param backend the backend's name
     * @param groups the cgroups of this machine
     */
    public static void start(String backend, ControlGroups groups) {
        DaemonThreads.platform("paddock-" + backend + "-sweep")
                .start(() -> run(backend, groups, SweepMode.REMOVE)
                        .forEach(phrase -> LOG.log(Level.DEBUG, () -> "Sweep after dead runs: " + phrase)));
    }
}
