package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.sandbox.policy.Violation;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Decides which parts of a policy a profile can enforce, and which guarantees result. */
final class SeatbeltPolicyCheck {

    /** The unit of {@code ulimit -f} in a POSIX shell. */
    static final int BLOCK_BYTES = 512;

    private static final String WITHOUT_LIMIT = "ask for it as far as possible, or use docker";

    private SeatbeltPolicyCheck() {}

    /**
     * Returns the check of a policy. A profile grants paths unmapped; macOS limits the files of a
     * process, and no resource of a whole sandbox.
     */
    static PolicyCheck check(SandboxPolicy policy) {
        String unmapped = "Seatbelt cannot map paths";
        String unlimited = "macOS limits single processes, not a sandbox as a whole";
        Capabilities capabilities = Capabilities.of(SeatbeltExecutor.NAME)
                .without(Feature.WORKTREE_MAPPING, unmapped, "leave it at its own path, or use docker")
                .without(Feature.MOUNT_MAPPING, unmapped, "mount it at its own path, or use docker")
                .without(Feature.MEMORY_LIMIT, unlimited, WITHOUT_LIMIT)
                .without(Feature.CPU_LIMIT, unlimited, WITHOUT_LIMIT)
                .without(Feature.PROCESS_LIMIT, unlimited, WITHOUT_LIMIT)
                .withoutHiddenPaths();
        if (policy.network() instanceof NetworkPolicy.Open) {
            capabilities = capabilities.without(
                    Feature.UNIX_SOCKETS_OFF,
                    "with the network open, name lookup uses a Unix socket",
                    "set the network to 'off', or allow unix sockets");
        }
        boolean inBlocks = policy.limits().fileSizeBytes().orElse(0) % BLOCK_BYTES == 0;
        return PolicyCheck.of(
                        policy,
                        inBlocks
                                ? capabilities
                                : capabilities.without(
                                        Feature.FILE_SIZE_LIMIT,
                                        "it is no multiple of " + BLOCK_BYTES + " bytes, in which a shell counts",
                                        "choose a multiple"))
                .and(loopback(policy));
    }

    private static List<Violation> loopback(SandboxPolicy policy) {
        if (!(policy.network() instanceof NetworkPolicy.Allow allow)) {
            return List.of();
        }
        return allow.rules().stream()
                .filter(HostRule::isLoopback)
                .map(rule -> new Violation(
                        "let commands reach " + rule,
                        "macOS has one loopback for all programs, on which the profile allows Paddock's proxy alone",
                        "leave the rule out"))
                .toList();
    }

    /** Returns the limit on a file's size, in blocks; rounded down if it is only best effort. */
    static OptionalLong fileBlocks(ResourceLimits limits) {
        OptionalLong bytes = limits.fileSizeBytes();
        return bytes.isPresent() ? OptionalLong.of(bytes.getAsLong() / BLOCK_BYTES) : bytes;
    }

    /**
     * Returns the guarantees of a sandbox, as far as the profile provides them.
     * {@link Guarantee#ENV_CONFINED} is not among them: the kernel gives the environment of the
     * user's other programs to any process that requests their arguments, and consults no profile. No
     * executor with allowed hosts is created without a {@link ProxyPortProof}.
     *
     * @param isExact whether an exit code is distinguished from death by a signal
     */
    static Set<Guarantee> guarantees(SandboxPolicy policy, boolean isExact) {
        Set<Guarantee> kept = EnumSet.of(
                Guarantee.WRITE_CONFINED,
                Guarantee.READ_CONFINED,
                Guarantee.UNIX_SOCKETS_OFF,
                Guarantee.PRIVATE_HOME,
                Guarantee.PROTECTED_PATHS);
        if (isExact) {
            kept.add(Guarantee.EXACT_STATUS);
        }
        if (policy.network() instanceof NetworkPolicy.Off) {
            kept.add(Guarantee.NETWORK_OFF);
        } else if (policy.network() instanceof NetworkPolicy.Allow) {
            kept.add(Guarantee.NETWORK_ALLOWED_HOSTS);
        }
        return Set.copyOf(kept);
    }
}
