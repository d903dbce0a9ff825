package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.fixtures.crash.CrashOperation;
import dev.paddock.fixtures.crash.SteppedClasses;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/** What {@link CrashPointsTest} ends at each step; {@link SteppedClasses} load it. */
public enum CrashOperations implements CrashOperation {
    /** Changes a tree, takes a snapshot of it, and deletes all but two. */
    SNAPSHOT {
        @Override
        public void run(Path directory) throws IOException {
            Path tree = directory.resolve("tree");
            Snapshots snapshots =
                    Snapshots.of(tree).store(directory.resolve("store")).open();
            String label = Long.toHexString(RANDOM.nextLong());
            byte[] content = new byte[RANDOM.nextInt(200_000)];
            RANDOM.nextBytes(content);
            // The tree is not what is tested: a snapshot takes its files as they are.
            Files.write(tree.resolve("random"), content);
            Files.writeString(tree.resolve("label2"), label);
            Files.writeString(tree.resolve("label"), label);
            snapshots.snapshot(label);
            for (List<SnapshotInfo> all = snapshots.list(); all.size() > 2; all = snapshots.list()) {
                snapshots.delete(all.getFirst().id());
            }
        }
    },

    /** Restores a snapshot. */
    RESTORE {
        @Override
        public void run(Path directory) throws IOException {
            Snapshots snapshots = Snapshots.of(directory.resolve("tree"))
                    .store(directory.resolve("store"))
                    .open();
            snapshots.restore(
                    snapshots.list().getFirst().id(),
                    directory.resolve("restored-" + Long.toHexString(RANDOM.nextLong())));
        }
    },

    /** Opens a workspace with a copy of a tree. */
    OPEN {
        @Override
        public void run(Path directory) {
            Workspace workspace = provider(directory)
                    .open(Kinds.LOCAL_SANDBOX
                            .config()
                            .copyOf(directory.resolve("seed"))
                            .capabilities(Capability.FILES, Capability.SNAPSHOTS)
                            .build());
            String label = Long.toHexString(RANDOM.nextLong());
            workspace.files().write("label2", label.getBytes(UTF_8));
            workspace.files().write("label", label.getBytes(UTF_8));
            workspace.suspend();
        }
    },

    /** Takes a snapshot in a workspace, and makes workspaces of it and of the present files. */
    BRANCH {
        @Override
        public void run(Path directory) throws Exception {
            DirectoryWorkspaceProvider provider = provider(directory);
            Workspace workspace = provider.resolve(provider.list().getFirst().ref());
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            WorkspaceRef restored = snapshots.restore(
                    snapshots.snapshot(Kinds.read(workspace, "label")).id());
            provider.resolve(restored).suspend();
            snapshots.branch();
            workspace.suspend();
        }
    },

    /** Removes the workspaces but one. */
    REMOVE {
        @Override
        public void run(Path directory) {
            DirectoryWorkspaceProvider provider = provider(directory);
            List<WorkspaceEntry> all = provider.list();
            all.subList(1, all.size()).forEach(entry -> provider.remove(entry.ref()));
        }
    },

    /** Puts the files of a workspace back to its first snapshot. */
    ROLL_BACK {
        @Override
        public void run(Path directory) throws Exception {
            DirectoryWorkspaceProvider provider = provider(directory);
            WorkspaceRef ref = provider.list().getFirst().ref();
            WorkspaceRef withoutFiles =
                    new WorkspaceRef(ref.kind(), ref.schemaVersion(), Set.of(Capability.SNAPSHOTS), ref.payload());
            Workspace workspace = provider.resolve(withoutFiles);
            String first = workspace.snapshots().orElseThrow().list().getFirst().id();
            workspace.suspend();
            provider.rollBack(ref, first);
        }
    };

    private static final SecureRandom RANDOM = new SecureRandom();

    private static DirectoryWorkspaceProvider provider(Path directory) {
        return Kinds.LOCAL_SANDBOX.provider(directory.resolve("workspaces"));
    }
}
