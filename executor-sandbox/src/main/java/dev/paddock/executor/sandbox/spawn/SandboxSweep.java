package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.state.PrivateState;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** Removes what executors of JVMs that are proven dead have left of a backend: directories and control groups. */
public final class SandboxSweep {
    private static final System.Logger LOG = System.getLogger(SandboxSweep.class.getName());

    private SandboxSweep() {}

    /**
     * Removes it now.
     *
     * @param backend the backend's name
     * @param groups the control groups of this machine
     * @return a phrase for each thing that was removed or could not be
     */
    public static List<String> run(String backend, ControlGroups groups) {
        List<String> removed = new ArrayList<>(PrivateState.sweep(backend));
        groups.sweep(backend).forEach(group -> removed.add("removed the control group " + group));
        return removed;
    }

    /**
     * Removes it on a thread of its own: nobody waits for it.
     *
     * @param backend the backend's name
     * @param groups the control groups of this machine
     */
    public static void start(String backend, ControlGroups groups) {
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-" + backend + "-sweep")
                .start(() -> run(backend, groups)
                        .forEach(phrase -> LOG.log(Level.INFO, () -> "A run that is dead left this: " + phrase)));
    }
}
