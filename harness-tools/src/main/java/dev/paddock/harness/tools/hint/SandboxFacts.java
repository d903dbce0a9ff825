package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The facts about the sandbox that commands run in.
 *
 * @param policy the sandbox's policy
 * @param guarantees what the executor enforces
 * @param searchPath the {@code PATH} of the host
 * @param seesHostPaths whether commands see programs at the host's paths; false in containers
 */
public record SandboxFacts(SandboxPolicy policy, Set<Guarantee> guarantees, String searchPath, boolean seesHostPaths) {

    private static final Set<String> ELSEWHERE = Set.of("docker", "kubernetes", "ssh");

    /** The program directories that every sandbox with host paths shows. */
    private static final List<Path> SYSTEM =
            List.of(Path.of("/usr"), Path.of("/bin"), Path.of("/sbin"), Path.of("/nix/store"));

    public SandboxFacts {
        guarantees = Set.copyOf(guarantees);
    }

    /**
     * Returns whether commands of an executor see programs at the host's paths.
     *
     * @param executor the executor's name
     * @return false where they run in a container or on another machine
     */
    public static boolean seesHostPaths(String executor) {
        return !ELSEWHERE.contains(executor);
    }

    /** Returns whether something is confined: otherwise no option grants more. */
    boolean confines() {
        return guarantees.contains(Guarantee.READ_CONFINED) || guarantees.contains(Guarantee.WRITE_CONFINED);
    }

    /** Returns whether commands see a host directory at its own path. */
    boolean shows(Path directory) {
        Stream<Path> mounted = policy.mounts().stream()
                .filter(mount -> mount.source().toString().equals(mount.target()))
                .map(Mount::source);
        return seesHostPaths
                && Stream.of(
                                SYSTEM.stream(),
                                mounted,
                                Stream.of(policy.worktree().hostPath()))
                        .flatMap(shown -> shown)
                        .anyMatch(directory::startsWith);
    }
}
