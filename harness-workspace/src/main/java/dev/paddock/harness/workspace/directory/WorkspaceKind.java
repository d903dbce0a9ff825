package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The kinds of workspaces in a directory: they differ in their backends and defaults. */
enum WorkspaceKind {
    DOCKER("docker", Optional.of("/workspace")),
    KUBERNETES("kubernetes", Optional.of("/workspace")),
    LOCAL_SANDBOX("local-sandbox", Optional.empty()),
    LOCAL_BASH("local-bash", Optional.empty());

    private final String word;
    private final Optional<String> commandPath;

    WorkspaceKind(String word, Optional<String> commandPath) {
        this.word = word;
        this.commandPath = commandPath;
    }

    String word() {
        return word;
    }

    /** Returns the permitted backends; of several the strongest usable one is chosen. */
    List<String> backends() {
        return switch (this) {
            case DOCKER -> List.of("docker");
            case KUBERNETES -> List.of("kubernetes");
            case LOCAL_SANDBOX -> List.of("bwrap", "landlock", "seatbelt");
            case LOCAL_BASH -> List.of("host");
        };
    }

    /** Returns the network of a configuration; by default off, except on the host, which cannot switch it off. */
    NetworkPolicy network(WorkspaceConfig config) {
        return config.network().orElseGet(() -> confines() ? NetworkPolicy.off() : NetworkPolicy.open());
    }

    /** Returns whether commands run in a container or pod of an image. */
    boolean needsImage() {
        return this == DOCKER || this == KUBERNETES;
    }

    /** Returns whether commands may run in a sandbox that a claim keeps between executors, instead of an image's. */
    boolean hasClaims() {
        return this == KUBERNETES;
    }

    /** Returns whether commands see only mounts, not every file that the user can read. */
    boolean confines() {
        return this != LOCAL_BASH;
    }

    /** Returns where commands see a workspace. */
    PathMapping worktree(Path files) {
        return commandPath.map(path -> new PathMapping(files, path)).orElseGet(() -> PathMapping.same(files));
    }
}
