package dev.paddock.cli.dialogue;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a session at a terminal works.
 *
 * @param worktree the directory
 * @param mounts what commands see in addition to it
 * @param protectedPaths what commands may not change
 * @param network what commands may reach, if the sandbox can switch it off
 * @param workspace the id of the workspace; empty for a directory
 */
public record SessionScope(
        PathMapping worktree,
        List<Mount> mounts,
        ProtectedPaths protectedPaths,
        NetworkPolicy network,
        Optional<String> workspace) {

    public SessionScope {
        mounts = List.copyOf(mounts);
    }

    /** Returns the scope of a session in a directory. */
    public static SessionScope of(SandboxPolicy policy) {
        return new SessionScope(
                policy.worktree(), policy.mounts(), policy.protectedPaths(), policy.network(), Optional.empty());
    }

    /** Returns the scope of a session in a workspace. */
    public static SessionScope ofWorkspace(WorkspaceEntry workspace) {
        return new SessionScope(
                PathMapping.same(workspace.files()),
                List.of(),
                ProtectedPaths.standard(),
                workspace.network(),
                Optional.of(workspace.id()));
    }

    /**
     * Opens the files that a prompt can name.
     *
     * @throws java.io.UncheckedIOException if the directory cannot be opened
     */
    public WorkspaceFiles files() {
        List<FileRoot> roots = new ArrayList<>(List.of(FileRoot.of(worktree)));
        mounts.forEach(mount -> roots.add(FileRoot.of(mount)));
        return WorkspaceFiles.open(roots, AccessRules.keeping(protectedPaths));
    }
}
