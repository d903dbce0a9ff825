package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.spawn.ConfinedHome;
import dev.paddock.executor.sandbox.spawn.ExecutorParts;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;

/** Creates a sandbox, if a profile can enforce the policy. */
final class SeatbeltExecutorFactory {
    private final SandboxPolicy policy;
    private final Path quarantine;
    private final String shell;
    private final String program;

    SeatbeltExecutorFactory(SandboxPolicy policy, Path quarantine, String shell, String program) {
        this.policy = policy;
        this.quarantine = quarantine;
        this.shell = shell;
        this.program = program;
    }

    SeatbeltSandbox make(int warmSlots) {
        return ExecutorParts.assemble(parts -> assemble(parts, warmSlots));
    }

    private SeatbeltSandbox assemble(ExecutorParts made, int warmSlots) throws IOException {
        Path worktree = ExecutorParts.worktree(policy);
        SeatbeltPolicyCheck.check(policy)
                .apartFrom(PrivateState.root(), quarantine)
                .require();
        // Portable processes on every system: outside macOS, a stand-in for sandbox-exec is to be
        // launched as it would be there.
        Supervisor supervisor =
                made.keep(Supervisor.ofPortableProcesses(SeatbeltExecutor.NAME, /* keepsLeftovers */ false));
        ConfinedHome home = made.keep(ConfinedHome.create(SeatbeltExecutor.NAME));
        WorktreeGuard guard =
                made.keep(WorktreeGuard.open(worktree, policy.protectedPaths(), home.guard(), quarantine));
        SeatbeltSandbox sandbox = new SeatbeltSandbox(
                new SeatbeltSandbox.Parts(
                        policy, program, shell, ExecutorParts.variables(policy), home, guard, supervisor),
                warmSlots);
        sandbox.profile(); // rejects an unsuitable profile before any command runs
        return sandbox;
    }
}
