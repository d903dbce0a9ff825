package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import dev.paddock.harness.workspace.tree.PartialDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Rolls a workspace's files back to a snapshot: restores it next to them, and exchanges the names of the two
 * directories atomically, so that either the old or the new files are in place, however the process ends.
 */
final class RollBack {
    /** The directory for the restored snapshot, and then for the replaced files until their removal. */
    private static final String OTHER = "restored";

    /** The kinds of file that snapshots omit: they are meaningless without their process. */
    private static final Set<String> WITHOUT_CONTENT =
            Set.of("a socket", "a pipe", "a character device", "a block device");

    private RollBack() {}

    /**
     * Restores the files.
     *
     * @param directory the workspace, which nobody else has open
     * @return a snapshot of the previous files
     * @throws WorkspaceFailedException if something would be lost that no snapshot keeps
     */
    static SnapshotInfo to(String id, WorkspaceDirectory directory, long maxBytes) throws IOException {
        Snapshots store = Snapshots.of(directory.files())
                .store(directory.snapshots())
                .maxBytes(maxBytes)
                .open();
        Kernel kernel = Kernel.create();
        Path other = directory.files().resolveSibling(OTHER);
        remove(kernel, other);
        store.restore(id, other);
        try {
            SnapshotInfo before = store.snapshot("before the return to " + id);
            requireNothingLost(before);
            PartialDirectory.exchange(kernel, directory.files(), other);
            directory.touch();
            return before;
        } finally {
            remove(kernel, other);
        }
    }

    private static void requireNothingLost(SnapshotInfo before) {
        List<String> lost = before.omissions().stream()
                .filter(omission -> !WITHOUT_CONTENT.contains(omission.reason()))
                .map(Omission::toString)
                .toList();
        if (!lost.isEmpty()) {
            throw new WorkspaceFailedException("the files stay as they are, since a snapshot does not keep all of them"
                    + " and the rest would be lost: " + String.join("; ", lost)
                    + ". Restore the snapshot into a new workspace");
        }
    }

    private static void remove(Kernel kernel, Path other) throws IOException {
        if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
            PartialDirectory.removeHidden(kernel, PartialDirectory.hide(kernel, other));
        }
    }
}
