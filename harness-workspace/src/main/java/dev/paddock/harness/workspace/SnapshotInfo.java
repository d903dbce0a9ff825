package dev.paddock.harness.workspace;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Describes a snapshot.
 *
 * @param id its name in the store
 * @param label the caller's text
 * @param created when it was taken
 * @param tree the original directory
 * @param files how many regular files it has
 * @param bytes the sum of their sizes
 * @param omissions what it does not contain
 * @since 0.1
 */
public record SnapshotInfo(
        String id, String label, Instant created, Path tree, long files, long bytes, List<Omission> omissions) {
    public SnapshotInfo {
        omissions = List.copyOf(omissions);
    }
}
