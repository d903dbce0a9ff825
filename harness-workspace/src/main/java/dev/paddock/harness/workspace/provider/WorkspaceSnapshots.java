package dev.paddock.harness.workspace.provider;

import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.SnapshotInfo;
import java.io.IOException;
import java.util.List;

/**
 * The snapshots of a workspace, and copies of it. {@link #restore} and {@link #branch} create a new workspace, which is
 * complete or absent; this one stays as it is. The snapshots are removed with the workspace.
 *
 * <p>Nothing is copied while commands run: the copy would contain partial changes. In that case each method throws a
 * transient {@link WorkspaceFailedException}. No command starts until the copy is complete.
 *
 * @since 0.1
 */
public interface WorkspaceSnapshots {

    /**
     * Takes a snapshot.
     *
     * @param label the caller's text, at most 1,000 characters; may be empty
     * @return the snapshot; the last one, if nothing has changed since and the label is the same
     * @throws WorkspaceFailedException if commands run
     * @throws dev.paddock.harness.workspace.StoreException if the snapshots would exceed their quota
     * @throws IOException if the files or the snapshots cannot be read or written
     */
    SnapshotInfo snapshot(String label) throws IOException;

    /**
     * Returns the snapshots, the oldest first.
     *
     * @return the snapshots
     * @throws IOException if they cannot be read
     */
    List<SnapshotInfo> list() throws IOException;

    /**
     * Creates a new workspace with the files of a snapshot.
     *
     * @param id the snapshot
     * @return a reference to the new workspace, which is not open
     * @throws IOException if there is no such snapshot, or it is damaged, or cannot be written
     */
    WorkspaceRef restore(String id) throws IOException;

    /**
     * Creates a new workspace with the files of this one.
     *
     * @return a reference to the new workspace, which is not open
     * @throws WorkspaceFailedException if commands run
     * @throws IOException if the files cannot be read or written
     */
    WorkspaceRef branch() throws IOException;

    /**
     * Compares two snapshots. Times and owners make no difference.
     *
     * @param from the id of the earlier one
     * @param to the id of the later one
     * @return the differences, in the order of the entries' names
     * @throws IOException if there is no such snapshot, or it is damaged
     */
    List<Change> changes(String from, String to) throws IOException;

    /**
     * Deletes a snapshot.
     *
     * @param id the snapshot
     * @throws IOException if there is no such snapshot, or it cannot be deleted
     */
    void delete(String id) throws IOException;
}
