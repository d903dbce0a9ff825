package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides in which directories a workspace's commands begin.
 *
 * @param trees the allowed trees; empty if any directory is allowed, since the sandbox confines commands
 */
record DirectoryRule(Optional<List<PathMapping>> trees) {
    /** Allows every directory. */
    static final DirectoryRule ANY = new DirectoryRule(Optional.empty());

    /** Returns the rule that allows the directories of a workspace: its files, and its mounts. */
    static DirectoryRule of(SandboxPolicy policy) {
        List<PathMapping> trees = new ArrayList<>(List.of(policy.worktree()));
        for (Mount mount : policy.mounts()) {
            trees.add(new PathMapping(mount.source(), mount.target()));
        }
        return new DirectoryRule(Optional.of(List.copyOf(trees)));
    }

    /**
     * Returns normally if commands may begin in the directory. Follows links: commands can create links that lead out.
     *
     * @throws SpawnException if they may not
     */
    void check(String directory) {
        if (trees.isPresent() && trees.get().stream().noneMatch(tree -> isWithin(directory, tree))) {
            throw new SpawnException("the command was not started: its directory '" + directory
                    + "' is not in the workspace; commands begin in '"
                    + trees.get().get(0).commandPath() + "' or below");
        }
    }

    private static boolean isWithin(String directory, PathMapping tree) {
        // The kernel resolves a link before it applies "..".
        boolean goesUp = List.of(directory.split("/", -1)).contains("..");
        Optional<Path> onHost = goesUp ? Optional.empty() : tree.toHost(directory);
        try {
            return onHost.isPresent()
                    && onHost.get().toRealPath().startsWith(tree.hostPath().toRealPath());
        } catch (IOException fault) {
            throw new SpawnException(
                    "the command was not started: its directory '" + directory + "' cannot be found in the workspace: "
                            + FileFaults.reason(fault),
                    fault);
        }
    }
}
