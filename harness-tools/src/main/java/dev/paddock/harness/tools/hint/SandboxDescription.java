package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes to the model which resources its commands may use. */
public final class SandboxDescription {
    private static final String GIT_CONFIGURATION = "GIT_CONFIG_SYSTEM";

    private SandboxDescription() {}

    /**
     * Describes a sandbox: the network, the grants, the protected paths, the limits, the identity.
     *
     * @param facts the facts about the sandbox
     * @return whole sentences
     */
    public static String of(SandboxFacts facts) {
        return Stream.of(
                        Optional.of(network(facts)),
                        grants(facts),
                        protectedPaths(facts),
                        limits(facts),
                        identity(facts))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
    }

    private static String network(SandboxFacts facts) {
        if (facts.policy().network() instanceof NetworkPolicy.Allow allow) {
            List<String> loopback = allow.rules().stream()
                    .filter(HostRule::isLoopback)
                    .map(HostRule::toString)
                    .toList();
            return "On the network, commands reach only " + Excerpt.list(allow.hosts())
                    + "; other names do not exist for them."
                    + (loopback.isEmpty()
                            ? ""
                            : " " + Excerpt.list(loopback) + " is the user's server, outside of the sandbox.");
        }
        boolean isOff = facts.guarantees().contains(Guarantee.NETWORK_OFF);
        return isOff ? "The network is off: downloads and look-ups of host names fail." : "The network is open.";
    }

    private static Optional<String> grants(SandboxFacts facts) {
        if (!facts.guarantees().contains(Guarantee.WRITE_CONFINED)) {
            return Optional.of("Commands have the rights of the user who runs the session.");
        }
        List<String> writable = new ArrayList<>(List.of("the worktree", "$HOME"));
        facts.policy().mounts().stream()
                .filter(mount -> mount.access() == Mount.Access.READ_WRITE)
                .forEach(mount -> writable.add(mount.target()));
        return Optional.of("Commands may write to " + Excerpt.list(writable) + " and temporary files, nowhere else.");
    }

    private static Optional<String> protectedPaths(SandboxFacts facts) {
        Set<String> names = facts.policy().protectedPaths().names();
        return names.isEmpty() || !facts.confines()
                ? Optional.empty()
                : Optional.of("Protected, or restored after a change, are files that the user's programs would obey: "
                        + Excerpt.list(names) + ".");
    }

    private static Optional<String> limits(SandboxFacts facts) {
        ResourceLimits limits = facts.policy().limits();
        Set<Guarantee> kept = facts.guarantees();
        List<String> parts = new ArrayList<>();
        if (kept.contains(Guarantee.MEMORY_LIMIT)) {
            limits.memoryBytes().ifPresent(bytes -> parts.add(bytes / (1 << 20) + " MiB of memory"));
        }
        if (kept.contains(Guarantee.CPU_LIMIT)) {
            limits.cpus().ifPresent(cpus -> parts.add(cpus + " processors"));
        }
        if (kept.contains(Guarantee.PROCESS_LIMIT)) {
            OptionalInt own = limits.processes();
            parts.add(own.orElse(ResourceLimits.DEFAULT_PROCESSES) + " processes");
        }
        limits.fileSizeBytes().ifPresent(bytes -> parts.add(bytes + " bytes a file"));
        return parts.isEmpty() ? Optional.empty() : Optional.of("Limits: " + String.join(", ", parts) + ".");
    }

    private static Optional<String> identity(SandboxFacts facts) {
        if (!facts.guarantees().contains(Guarantee.ENV_CONFINED)) {
            return Optional.empty();
        }
        return Optional.of(
                facts.policy().environment().variables().containsKey(GIT_CONFIGURATION)
                        ? "Git has the user's name and address for commits, and none of the user's credentials."
                        : "Git has no name for commits, unless the repository sets one, and no credentials.");
    }
}
