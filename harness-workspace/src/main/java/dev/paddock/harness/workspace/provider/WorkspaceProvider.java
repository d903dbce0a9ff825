package dev.paddock.harness.workspace.provider;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens and reopens workspaces of one kind. Thread-safe.
 *
 * @since 0.1
 */
public interface WorkspaceProvider {

    /**
     * {@return the kind, by which configurations and references name this provider: lower-case letters, digits and
     * {@code -}}
     */
    String kind();

    /** {@return the capabilities of this provider's workspaces; constant} */
    Set<Capability> capabilities();

    /**
     * Returns the allowed programs, if they are restricted; a session gives them to its model.
     *
     * @return the programs, none of them if no command is allowed; empty if every command is
     */
    default Optional<List<String>> allowedCommands() {
        return Optional.empty();
    }

    /**
     * Opens a new workspace atomically: it exists or not, however the process ends; if this method throws, nothing of
     * it remains.
     *
     * @param config the workspace's configuration, and the grants of its commands
     * @return the workspace; the caller suspends or closes it
     * @throws WorkspaceFailedException if the sandbox is not available or cannot enforce the configuration, or this
     *     provider lacks a declared capability
     * @throws IllegalArgumentException if the configuration is of another kind, or malformed
     */
    Workspace open(WorkspaceConfig config);

    /**
     * Reopens a workspace, with a new sandbox, which is probed.
     *
     * @param ref the reference; its content is verified, not trusted
     * @return the workspace; the caller suspends or closes it
     * @throws WorkspaceEvictedException if the workspace no longer exists
     * @throws WorkspaceFailedException if the reference is invalid, or the sandbox is not available or cannot enforce
     *     the workspace's configuration
     */
    Workspace resolve(WorkspaceRef ref);

    /**
     * Removes a workspace that is not open, without starting its sandbox.
     *
     * @param ref the reference
     * @throws WorkspaceEvictedException if the workspace no longer exists
     * @throws WorkspaceFailedException if the reference is invalid, the workspace is open, or its
     *     files could not be removed
     */
    void remove(WorkspaceRef ref);
}
