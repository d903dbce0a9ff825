package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.network.NetworkVariables;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.backend.ConfinedHome;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.LocalCommands;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
        // Portable processes on every system: outside macOS, a stand-in for sandbox-exec must be
        // launched as it would be there.
        Supervisor supervisor =
                parts.keep(Supervisor.ofPortableProcesses(SeatbeltExecutor.NAME, /* keepsLeftovers */ false));
        ConfinedHome home = parts.keep(ConfinedHome.create(SeatbeltExecutor.NAME));
        Optional<ProxiedNetwork> network = ProxiedNetwork.of(policy.network());
        network.ifPresent(parts::keep);
        SeatbeltSandbox sandbox = new SeatbeltSandbox(
                options, program, home, home.guard(worktree, options, parts).await(), network, supervisor);
        sandbox.plan(); // rejects an unsuitable profile before any command runs
        Map<String, String> variables = new TreeMap<>();
        if (network.isEmpty()) { // allowed hosts have a proxy of their own
            variables.putAll(NetworkVariables.of(policy.network()));
        }
        variables.putAll(ExecutorParts.variables(policy));
        LocalCommands commands = new LocalCommands(
                SeatbeltExecutor.NAME,
                SeatbeltPolicyCheck.guarantees(policy, supervisor.isNative()),
                Optional.of(policy.worktree()),
                () -> variables,
                new SandboxedSpawner<>(SeatbeltExecutor.NAME, options.shell(), options.warmSlots(), sandbox),
                parts);
        if (network.isPresent()) {
            prove(commands, network.get());
        }
        return new SeatbeltExecutor(sandbox, commands);
    }

    /** Refuses a network of allowed hosts that has not been proven to be one. */
    private void prove(LocalCommands commands, ProxiedNetwork network) throws IOException {
        Optional<String> obstacle =
                ProxyPortProof.obstacle(commands, policy.worktree().commandPath(), network.proxy());
        if (obstacle.isPresent()) {
            throw new SandboxUnavailableException(
                    SeatbeltExecutor.NAME,
                    new Availability.Unusable(
                            "the network of allowed hosts is not proven: " + obstacle.get(),
                            SeatbeltExecutor.REMEDY,
                            true));
        }
    }
}
