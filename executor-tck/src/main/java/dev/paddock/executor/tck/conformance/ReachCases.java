package dev.paddock.executor.tck.conformance;

import static dev.paddock.executor.tck.conformance.Expectation.ALLOWED;
import static dev.paddock.executor.tck.conformance.Expectation.DENIED;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.clauses.EnvironmentContract;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import dev.paddock.executor.tck.subject.HostNames;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import dev.paddock.executor.variable.ShellVariables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cases of the network, unix sockets, limits and the environment. */
final class ReachCases {
    /**
     * A policy that opens the network does not require these: the host has no such confinement.
     */
    static final Set<Guarantee> NOT_OF_THE_NETWORK =
            Set.of(Guarantee.READ_CONFINED, Guarantee.WRITE_CONFINED, Guarantee.UNIX_SOCKETS_OFF);

    private static final long MEMORY = 64L << 20;
    private static final long FILE_SIZE = 1L << 20;

    private ReachCases() {}

    static List<PolicyCase> all() {
        return List.of(
                PolicyCase.of("network off", ReachCases::off),
                PolicyCase.of("network open", ReachCases::open),
                PolicyCase.of("network of allowed hosts", ReachCases::chosen),
                PolicyCase.of("unix sockets off", ReachCases::noUnixSockets),
                PolicyCase.byMachine("memory limit", fixture -> limited(fixture, ReachCases::memory)),
                PolicyCase.byMachine("CPU limit", fixture -> limited(fixture, ReachCases::cpus)),
                PolicyCase.byMachine("process limit", fixture -> limited(fixture, ReachCases::processes)),
                PolicyCase.of("file size limit", fixture -> limited(fixture, ReachCases::fileSize)),
                PolicyCase.byMachine("limits, best effort", ReachCases::limitsBestEffort),
                PolicyCase.of("environment", ReachCases::environment));
    }

    private static Prepared off(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Listeners listeners = fixture.listeners();
        Observations observations = unixSockets(new Observations(fixture).open(worktree), listeners)
                .on(Operation.CONNECT_TCP, listeners.tcpOnLoopback(), DENIED)
                .on(Operation.SEND_UDP, listeners.udpOnLoopback(), DENIED);
        listeners.tcpElsewhere().ifPresent(address -> observations.on(Operation.CONNECT_TCP, address, DENIED));
        return observations.under(SandboxPolicy.builder(worktree).network(NetworkPolicy.off()));
    }

    /** An open network grants IP and nothing else. Loopback need not be the host's. */
    private static Prepared open(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Listeners listeners = fixture.listeners();
        Observations observations = unixSockets(new Observations(fixture).open(worktree), listeners);
        listeners.tcpElsewhere().ifPresent(address -> observations.on(Operation.CONNECT_TCP, address, ALLOWED));
        return observations.under(SandboxPolicy.builder(worktree).network(NetworkPolicy.open()), NOT_OF_THE_NETWORK);
    }

    private static Observations unixSockets(Observations observations, Listeners listeners) {
        return observations
                .on(Operation.CONNECT_UNIX, listeners.unixPath().toString(), DENIED)
                .on(Operation.CONNECT_ABSTRACT, listeners.abstractName(), DENIED);
    }

    private static Prepared chosen(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Listeners listeners = fixture.listeners();
        String port = listeners.tcpOnLoopback().replaceFirst(".*:", "");
        String allowed = HostNames.require().give("conformance", "127.0.0.1") + ":" + port;
        Observations observations = unixSockets(new Observations(fixture).open(worktree), listeners)
                .on(Operation.CONNECT_TCP, allowed, ALLOWED)
                .on(Operation.SEND_UDP, listeners.udpOnLoopback(), DENIED);
        listeners.tcpElsewhere().ifPresent(address -> observations.on(Operation.CONNECT_TCP, address, DENIED));
        return observations.under(SandboxPolicy.builder(worktree).network(NetworkPolicy.allow(allowed + "/private")));
    }

    /** A socket in the worktree is granted otherwise. */
    private static Prepared noUnixSockets(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Listeners listeners = fixture.listeners();
        Path granted = fixture.listeningIn(worktree.hostPath());
        Observations observations = unixSockets(new Observations(fixture).open(worktree), listeners)
                .on(Operation.CONNECT_UNIX, granted.toString(), DENIED);
        return observations.under(SandboxPolicy.builder(worktree).unixSockets(false));
    }

    private static ResourceLimits memory(ResourceLimits limits, Observations observations) {
        observations.on(Operation.USE_MEMORY, "1000000", ALLOWED);
        observations.on(Operation.USE_MEMORY, Long.toString(4 * MEMORY), DENIED);
        return limits.withMemory(MEMORY);
    }

    private static ResourceLimits cpus(ResourceLimits limits, Observations observations) {
        observations.on(Operation.USE_CPU, "0.01/100", ALLOWED);
        // This takes a second at a fifth of a processor.
        observations.on(Operation.USE_CPU, "0.2/0.6", DENIED);
        return limits.withCpus(0.2);
    }

    private static ResourceLimits processes(ResourceLimits limits, Observations observations) {
        observations.on(Operation.START_PROCESSES, "10", ALLOWED);
        observations.on(Operation.START_PROCESSES, "80", DENIED);
        return limits.withProcesses(40);
    }

    private static ResourceLimits fileSize(ResourceLimits limits, Observations observations) {
        observations.on(Operation.WRITE_BYTES, Long.toString(FILE_SIZE), ALLOWED);
        observations.on(Operation.WRITE_BYTES, Long.toString(FILE_SIZE + 1), DENIED);
        return limits.withFileSize(FILE_SIZE);
    }

    private interface Limiting {
        ResourceLimits limit(ResourceLimits limits, Observations observations);
    }

    private static Prepared limited(PolicyFixture fixture, Limiting limiting) throws IOException {
        PathMapping worktree = fixture.worktree();
        Observations observations = new Observations(fixture).open(worktree);
        observations.closed(fixture.directory("outside"));
        // Last: where no sandbox reaps them, the processes that were killed count until the machine's init reaps them.
        ResourceLimits limits = limiting.limit(ResourceLimits.none(), observations);
        return observations.under(SandboxPolicy.builder(worktree).limits(limits));
    }

    private static Prepared limitsBestEffort(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        Observations observations = new Observations(fixture).open(worktree);
        ResourceLimits limits = processes(cpus(memory(ResourceLimits.none(), observations), observations), observations)
                .withDemand(Enforcement.BEST_EFFORT);
        return observations.under(
                SandboxPolicy.builder(worktree).network(NetworkPolicy.open()).limits(limits),
                Set.of(Guarantee.MEMORY_LIMIT, Guarantee.CPU_LIMIT, Guarantee.PROCESS_LIMIT));
    }

    private static Prepared environment(PolicyFixture fixture) throws IOException {
        PathMapping worktree = fixture.worktree();
        EnvironmentPolicy policy = EnvironmentPolicy.empty().with("GREETING", "it's \"me\" & $HOME = \\1");
        Observations observations = new Observations(fixture)
                .open(worktree)
                .on(Operation.FIND_VARIABLE, "GREETING=it's \"me\" & $HOME = \\1", ALLOWED)
                .on(Operation.FIND_VARIABLE, "GREETING=me", DENIED);
        Optional<Map.Entry<String, String>> host = hostVariable();
        if (host.isPresent()) {
            policy = policy.passing(host.get().getKey());
            observations.on(
                    Operation.FIND_VARIABLE,
                    host.get().getKey() + "=" + host.get().getValue(),
                    ALLOWED);
        }
        return observations.under(
                SandboxPolicy.builder(worktree).network(NetworkPolicy.open()).environment(policy));
    }

    /** Returns a variable that no backend sets itself. */
    private static Optional<Map.Entry<String, String>> hostVariable() {
        return SuiteEnvironment.variables().entrySet().stream()
                .filter(variable -> ShellVariables.isIdentifier(variable.getKey()))
                .filter(variable -> variable.getValue().matches("[ -~]+"))
                .filter(variable -> !EnvironmentContract.BASE.contains(variable.getKey())
                        && !EnvironmentContract.SHELL.contains(variable.getKey())
                        && !EnvironmentPolicy.empty().withholds(variable.getKey()))
                .findFirst();
    }
}
