package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Assigns each limit to the mechanism that enforces it: a cgroup where one can be created, an
 * rlimit where that suffices.
 *
 * @param memoryBytes the cgroup's memory limit, swap included
 * @param cpus the cgroup's processors
 * @param groupProcesses the cgroup's processes and threads
 * @param rlimitProcesses the limit on processes where an rlimit enforces it
 * @param rlimitFileSize the limit on a file's size, in bytes
 */
public record LimitPlan(
        OptionalLong memoryBytes,
        OptionalDouble cpus,
        OptionalInt groupProcesses,
        OptionalInt rlimitProcesses,
        OptionalLong rlimitFileSize) {

    private static final Map<Guarantee, Feature> LIMITS = Map.of(
            Guarantee.MEMORY_LIMIT, Feature.MEMORY_LIMIT,
            Guarantee.CPU_LIMIT, Feature.CPU_LIMIT,
            Guarantee.PROCESS_LIMIT, Feature.PROCESS_LIMIT);

    /**
     * The mechanisms that this machine has for limits.
     *
     * @param controllers the controllers through which cgroups can set limits here
     * @param countsProcesses whether {@code RLIMIT_NPROC} binds and counts only the sandbox's processes: not for root,
     *     and only in the sandbox's own user namespace
     */
    public record Mechanisms(Set<Controller> controllers, boolean countsProcesses) {
        public Mechanisms {
            controllers = Set.copyOf(controllers);
        }

        /** {@return those of the three guarantees about limits that these mechanisms support} */
        public Set<Guarantee> guarantees() {
            Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
            if (controllers.contains(Controller.MEMORY)) {
                kept.add(Guarantee.MEMORY_LIMIT);
            }
            if (controllers.contains(Controller.CPU)) {
                kept.add(Guarantee.CPU_LIMIT);
            }
            if (controllers.contains(Controller.PROCESSES) || countsProcesses) {
                kept.add(Guarantee.PROCESS_LIMIT);
            }
            return Set.copyOf(kept);
        }

        /**
         * Removes from a backend's capabilities the limits that these mechanisms cannot enforce.
         *
         * @param all the backend's other capabilities
         */
        public Capabilities restrict(Capabilities all) {
            Capabilities left = all;
            Set<Guarantee> kept = guarantees();
            for (Map.Entry<Guarantee, Feature> limit : LIMITS.entrySet()) {
                if (!kept.contains(limit.getKey())) {
                    left = left.without(
                            limit.getValue(),
                            "no control group can be made here",
                            "start the program by 'systemd-run --user --scope -p Delegate=yes PROGRAM', which gives it a"
                                    + " delegated control group, or as root, or leave the limit out");
                }
            }
            return left;
        }
    }

    /**
     * Chooses a mechanism for each limit.
     *
     * @param wanted the policy's limits
     * @return the plan, without the limits that cannot be enforced
     */
    public static LimitPlan of(ResourceLimits wanted, Mechanisms mechanisms) {
        boolean memory = mechanisms.controllers().contains(Controller.MEMORY);
        boolean cpu = mechanisms.controllers().contains(Controller.CPU);
        boolean group = mechanisms.controllers().contains(Controller.PROCESSES);
        OptionalInt processes = OptionalInt.of(wanted.processes().orElse(ResourceLimits.DEFAULT_PROCESSES));
        return new LimitPlan(
                memory ? wanted.memoryBytes() : OptionalLong.empty(),
                cpu ? wanted.cpus() : OptionalDouble.empty(),
                group ? processes : OptionalInt.empty(),
                !group && mechanisms.countsProcesses() ? processes : OptionalInt.empty(),
                wanted.fileSizeBytes());
    }

    public boolean needsGroup() {
        return memoryBytes.isPresent() || cpus.isPresent() || groupProcesses.isPresent();
    }

    /** Returns whether each command needs an rlimit. */
    public boolean needsRlimit() {
        return rlimitProcesses.isPresent() || rlimitFileSize.isPresent();
    }
}
