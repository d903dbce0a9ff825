package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Describes a workspace that exists.
 *
 * @param ref its reference
 * @param id its id, by which {@link DirectoryWorkspaceProvider#entry} finds it
 * @param files the directory of its files
 * @param network the part of the network that its commands reach, if its sandbox can switch it off
 * @param created when it was opened
 * @param used when it was last opened, resolved, suspended or copied to
 * @since 0.1
 */
public record WorkspaceEntry(
        WorkspaceRef ref, String id, Path files, NetworkPolicy network, Instant created, Instant used) {}
