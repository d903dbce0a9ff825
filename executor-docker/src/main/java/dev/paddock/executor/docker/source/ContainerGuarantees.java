package dev.paddock.executor.docker.source;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.EngineLimits;
import dev.paddock.executor.policy.NetworkPolicy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Derives a managed container's guarantees from its policy and its engine. */
public final class ContainerGuarantees {
    /** Listed one by one, so that no container claims a guarantee that is added later. */
    private static final Set<Guarantee> OF_EVERY_CONTAINER = EnumSet.of(
            Guarantee.WRITE_CONFINED,
            Guarantee.READ_CONFINED,
            Guarantee.NETWORK_OFF,
            Guarantee.UNIX_SOCKETS_OFF,
            Guarantee.TREE_KILL,
            Guarantee.DIES_WITH_HOST,
            Guarantee.PRIVATE_TMP,
            Guarantee.PRIVATE_HOME,
            Guarantee.PRIVATE_LOOPBACK,
            Guarantee.PROTECTED_PATHS,
            Guarantee.MEMORY_LIMIT,
            Guarantee.CPU_LIMIT,
            Guarantee.PROCESS_LIMIT,
            Guarantee.NO_NEW_PRIVILEGES,
            Guarantee.SYSCALL_FILTER,
            Guarantee.TERMINAL);

    private ContainerGuarantees() {}

    /**
     * Returns what a managed container guarantees.
     *
     * @param obstacle why a network of allowed hosts cannot be served
     * @param limits what the engine reports
     */
    public static Set<Guarantee> kept(
            Optional<String> obstacle, NetworkPolicy network, Optional<String> runtime, EngineLimits limits) {
        Set<Guarantee> kept = EnumSet.copyOf(OF_EVERY_CONTAINER);
        if (network instanceof NetworkPolicy.Open) {
            kept.removeAll(Set.of(Guarantee.NETWORK_OFF, Guarantee.PRIVATE_LOOPBACK));
        } else if (obstacle.isEmpty()) {
            kept.add(Guarantee.NETWORK_ALLOWED_HOSTS);
        }
        if (obstacle.isEmpty()) {
            kept.add(Guarantee.PUBLISHED_PORTS);
        }
        if (network instanceof NetworkPolicy.Allow) {
            kept.remove(Guarantee.NETWORK_OFF);
        }
        if (!ContainerFilter.binds(runtime)) {
            kept.remove(Guarantee.SYSCALL_FILTER);
        }
        if (!limits.memory() || !limits.swap()) {
            kept.remove(Guarantee.MEMORY_LIMIT);
        }
        if (!limits.cpus()) {
            kept.remove(Guarantee.CPU_LIMIT);
        }
        if (!limits.processes()) {
            kept.remove(Guarantee.PROCESS_LIMIT);
        }
        return kept;
    }
}
