package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.sandbox.policy.Violation;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The confinement by the specification of a pod that Paddock did not write.
 *
 * @param spec the pod's, as the cluster runs it
 * @param container the commands' container
 */
record PodConfinement(PodSpec spec, Container container) {
    /** Returns the confinement of a container; of the first, if the name is unknown. */
    static PodConfinement of(Pod pod, String container) {
        List<Container> all = pod.getSpec().getContainers();
        return new PodConfinement(
                pod.getSpec(),
                all.stream()
                        .filter(each -> each.getName().equals(container))
                        .findFirst()
                        .orElseGet(all::getFirst));
    }

    /** Returns whether commands could reach other terminals. */
    boolean isPrivileged() {
        SecurityContext context = container.getSecurityContext();
        return Boolean.TRUE.equals(spec.getHostPID())
                || (context != null
                        && (Boolean.TRUE.equals(context.getPrivileged())
                                || (context.getCapabilities() != null
                                        && !context.getCapabilities().getAdd().isEmpty())));
    }

    /** Returns what commands cannot reach: only what the specification alone ensures. */
    Set<Guarantee> confined() {
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        boolean isApart = !isPrivileged()
                && !Boolean.TRUE.equals(spec.getHostIPC())
                && !Boolean.TRUE.equals(spec.getHostNetwork())
                && spec.getContainers().size() == 1
                && spec.getVolumes().stream().allMatch(PodConfinement::isPrivate);
        if (isApart) {
            kept.add(Guarantee.READ_CONFINED);
            kept.add(Guarantee.UNIX_SOCKETS_OFF);
            kept.add(Guarantee.PRIVATE_TMP);
            SecurityContext context = container.getSecurityContext();
            if (context != null && Boolean.TRUE.equals(context.getReadOnlyRootFilesystem())) {
                kept.add(Guarantee.WRITE_CONFINED);
            }
        }
        return kept;
    }

    /** Returns whether a volume is the pod's own, and empty when it starts. */
    private static boolean isPrivate(Volume volume) {
        return volume.getEmptyDir() != null;
    }

    /** Returns the memory limit in bytes; empty without one. */
    OptionalLong memoryLimit() {
        return limit("memory")
                .map(quantity ->
                        OptionalLong.of(Quantity.getAmountInBytes(quantity).longValue()))
                .orElse(OptionalLong.empty());
    }

    private Optional<Quantity> limit(String resource) {
        return Optional.ofNullable(container.getResources())
                .flatMap(resources -> Optional.ofNullable(resources.getLimits()))
                .flatMap(limits -> Optional.ofNullable(limits.get(resource)));
    }

    private Optional<BigDecimal> cpus() {
        return limit("cpu").map(Quantity::getAmountInBytes);
    }

    /** Returns the limits of a policy that the pod enforces. */
    Set<Guarantee> kept(ResourceLimits limits) {
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        if (limits.memoryBytes().isPresent()
                && memoryLimit().isPresent()
                && memoryLimit().getAsLong() <= limits.memoryBytes().getAsLong()) {
            kept.add(Guarantee.MEMORY_LIMIT);
        }
        if (limits.cpus().isPresent()
                && cpus().filter(has ->
                                has.compareTo(BigDecimal.valueOf(limits.cpus().getAsDouble())) <= 0)
                        .isPresent()) {
            kept.add(Guarantee.CPU_LIMIT);
        }
        return kept;
    }

    /** Returns the limits that a policy requires and the pod does not enforce. */
    List<Violation> violations(ResourceLimits limits) {
        List<Violation> found = new ArrayList<>();
        if (limits.demand() == Enforcement.REQUIRED) {
            Set<Guarantee> kept = kept(limits);
            String remedy = "name a template with a limit as low as that, or an image";
            if (limits.memoryBytes().isPresent() && !kept.contains(Guarantee.MEMORY_LIMIT)) {
                found.add(new Violation(
                        "keep a memory limit of " + limits.memoryBytes().getAsLong() + " bytes",
                        has(memoryLimit().isPresent(), memoryLimit().orElse(0) + " bytes"),
                        remedy));
            }
            if (limits.cpus().isPresent() && !kept.contains(Guarantee.CPU_LIMIT)) {
                found.add(new Violation(
                        "keep a limit of " + limits.cpus().getAsDouble() + " CPUs",
                        has(
                                cpus().isPresent(),
                                cpus().orElse(BigDecimal.ZERO)
                                                .stripTrailingZeros()
                                                .toPlainString() + " CPUs"),
                        remedy));
            }
        }
        return found;
    }

    private static String has(boolean isLimited, String limit) {
        return isLimited ? "the pod's limit is " + limit : "the pod has no such limit";
    }
}
