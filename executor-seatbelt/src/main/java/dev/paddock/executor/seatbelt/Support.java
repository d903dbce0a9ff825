package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Demand;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What a profile can keep of a policy, and what it guarantees. */
final class Support {

    /** The unit of {@code ulimit -f} in a POSIX shell. */
    static final int BLOCK_BYTES = 512;

    private Support() {}

    /**
     * A profile grants paths where they are. macOS limits a process's files, and nothing of a whole sandbox.
     *
     * @throws UnsupportedPolicyException if the policy asks for more
     */
    static void require(SandboxPolicy policy) {
        List<String> unsupported = new ArrayList<>();
        if (!policy.worktree().isSame()) {
            unsupported.add("the worktree '" + policy.worktree().hostPath() + "' at another path, '"
                    + policy.worktree().commandPath() + "'");
        }
        if (policy.network() instanceof NetworkPolicy.Allow allowed) {
            unsupported.add("a network of chosen hosts: " + String.join(", ", allowed.hosts()));
        }
        for (Mount mount : policy.mounts()) {
            if (!RealPaths.of(Path.of(mount.target())).equals(mount.source())) {
                unsupported.add("the mount '" + mount.source() + "' at another path, '" + mount.target() + "'");
            }
        }
        if (policy.limits().demand() == Demand.REQUIRED) {
            unsupported.addAll(limits(policy.limits()));
        }
        if (!unsupported.isEmpty()) {
            throw new UnsupportedPolicyException(SeatbeltExecutor.NAME, unsupported);
        }
    }

    private static List<String> limits(ResourceLimits limits) {
        List<String> set = new ArrayList<>();
        limits.memoryBytes().ifPresent(bytes -> set.add("a memory limit of " + bytes + " bytes"));
        limits.cpus().ifPresent(number -> set.add("a limit of " + number + " CPUs"));
        limits.processes().ifPresent(number -> set.add("a limit of " + number + " processes"));
        limits.fileSizeBytes().ifPresent(bytes -> {
            if (bytes % BLOCK_BYTES != 0) {
                set.add("a file size limit of " + bytes + " bytes, which is no multiple of " + BLOCK_BYTES);
            }
        });
        return set;
    }

    /** The limit on a file's size, in blocks; rounded down if it is only best effort. */
    static OptionalLong fileBlocks(ResourceLimits limits) {
        OptionalLong bytes = limits.fileSizeBytes();
        return bytes.isPresent() ? OptionalLong.of(bytes.getAsLong() / BLOCK_BYTES) : bytes;
    }

    /**
     * What a sandbox guarantees, as far as the profile says. {@link Guarantee#ENV_CONFINED} is not among it: the kernel
     * tells the environment of the user's other programs to whoever asks for their arguments, and asks no profile.
     *
     * @param isExact whether an exit code is told from death by a signal
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
        }
        return Set.copyOf(kept);
    }
}
