package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.backend.ConfinedHome;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.LocalCommands;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.sandbox.state.PrivateState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Creates an executor, if a profile can enforce the policy. */
final class SeatbeltExecutorFactory {
    private final SandboxOptions options;
    private final SandboxPolicy policy;
    private final String program;

    SeatbeltExecutorFactory(SandboxOptions options, String program) {
        this.options = options;
        this.policy = options.policy();
        this.program = program;
    }

    SeatbeltExecutor create() {
        return ExecutorParts.assemble(this::assemble);
    }

    private SeatbeltExecutor assemble(ExecutorParts parts) throws IOException {
        Path worktree = ExecutorParts.worktree(policy);
        SeatbeltPolicyCheck.check(policy)
                .apartFrom(PrivateState.root(), options.quarantine())
                .require();
        // Portable processes on every system: outside macOS, a stand-in for sandbox-exec is to be
        // launched as it would be there.
        Supervisor supervisor =
                parts.keep(Supervisor.ofPortableProcesses(SeatbeltExecutor.NAME, /* keepsLeftovers */ false));
        ConfinedHome home = parts.keep(ConfinedHome.create(SeatbeltExecutor.NAME));
        SeatbeltSandbox sandbox = new SeatbeltSandbox(
                options, program, home, home.guard(worktree, options, parts).await(), supervisor);
        sandbox.plan(); // rejects an unsuitable profile before any command runs
        Map<String, String> variables = ExecutorParts.variables(policy);
        return new SeatbeltExecutor(
                sandbox,
                new LocalCommands(
                        SeatbeltExecutor.NAME,
                        SeatbeltPolicyCheck.guarantees(policy, supervisor.isNative()),
                        Optional.of(policy.worktree()),
                        () -> variables,
                        new SandboxedSpawner<>(SeatbeltExecutor.NAME, options.shell(), options.warmSlots(), sandbox),
                        parts));
    }
}
