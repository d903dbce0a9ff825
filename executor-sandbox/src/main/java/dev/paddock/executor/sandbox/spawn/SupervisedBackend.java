package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A backend whose sandboxes are processes of this machine that one {@link Supervisor} launches.
 *
 * @param <P> the plan of a sandbox
 */
public abstract class SupervisedBackend<P> implements SandboxBackend<P> {
    private final Supervisor supervisor;
    private final CommandLauncher launcher;
    private final Optional<WorktreeGuard> guard;

    /**
     * Creates a backend.
     *
     * @param supervisor launches the sandboxes; closed with this backend
     * @param launcher sends commands to their stubs
     * @param guard guards the worktree; empty if the backend protects none
     */
    protected SupervisedBackend(Supervisor supervisor, CommandLauncher launcher, Optional<WorktreeGuard> guard) {
        this.supervisor = supervisor;
        this.launcher = launcher;
        this.guard = guard;
    }

    /** {@return the supervisor that launches the sandboxes} */
    protected final Supervisor supervisor() {
        return supervisor;
    }

    /** {@return the launcher that sends commands to the stubs} */
    protected final CommandLauncher launcher() {
        return launcher;
    }

    @Override
    public final boolean isKept(Path path) {
        return guard.filter(worktree -> worktree.isKept(path)).isPresent();
    }

    @Override
    public final Optional<WorktreeGuard.Command> announce(P plan) {
        return guard.map(worktree -> worktree.announce(protection(plan)));
    }

    /**
     * Returns the mounts with which a sandbox itself protects paths.
     *
     * @param plan the sandbox's plan
     * @return the mounts; none by default
     */
    protected ProtectionPlan protection(P plan) {
        return ProtectionPlan.NONE;
    }

    @Override
    public final boolean passesExactly(String name) {
        return launcher.passesExactly(name);
    }

    /**
     * Returns the environment of a stub, with a new marker.
     *
     * @param base the variables of every stub
     * @param more further variables, which override them
     * @return the environment, mutable
     */
    protected final Map<String, String> environment(Map<String, String> base, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(base);
        environment.putAll(more);
        environment.put(CommandExecutor.MARKER, supervisor.newMarker());
        return environment;
    }

    /** Ends the commands and the stubs. The spawner calls it. */
    @Override
    public void close() {
        supervisor.close();
    }
}
