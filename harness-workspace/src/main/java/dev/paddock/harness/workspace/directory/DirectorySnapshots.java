package dev.paddock.harness.workspace.directory;

import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The snapshots of a workspace, in a store next to its files. */
final class DirectorySnapshots implements WorkspaceSnapshots {
    private final WorkspaceRoot root;
    private final WorkspaceDirectory directory;
    private final LiveCommands commands;
    private final long maxBytes;
    private final Function<WorkspaceRecord, WorkspaceRef> references;
    private Optional<Snapshots> opened = Optional.empty();

    DirectorySnapshots(
            WorkspaceRoot root,
            WorkspaceDirectory directory,
            LiveCommands commands,
            long maxBytes,
            Function<WorkspaceRecord, WorkspaceRef> references) {
        this.root = root;
        this.directory = directory;
        this.commands = commands;
        this.maxBytes = maxBytes;
        this.references = references;
    }

    private synchronized Snapshots store() throws IOException {
        if (opened.isEmpty()) {
            opened = Optional.of(Snapshots.of(directory.files())
                    .store(directory.snapshots())
                    .maxBytes(maxBytes)
                    .open());
        }
        return opened.get();
    }

    @Override
    public SnapshotInfo snapshot(String label) throws IOException {
        return commands.whileNoneRuns(() -> store().snapshot(label));
    }

    @Override
    public List<SnapshotInfo> list() throws IOException {
        return store().list();
    }

    @Override
    public WorkspaceRef restore(String id) throws IOException {
        return another(files -> store().restore(id, files).borrowed());
    }

    @Override
    public WorkspaceRef branch() throws IOException {
        return commands.whileNoneRuns(
                () -> another(files -> TreeCopy.copy(directory.files(), files).borrowed()));
    }

    private WorkspaceRef another(WorkspaceRoot.Content content) throws IOException {
        WorkspaceRecord own = directory.record();
        WorkspaceRecord record = WorkspaceRecord.create(own.config(), own.borrowed());
        try (WorkspaceDirectory made = root.create(record, content)) {
            return references.apply(made.record());
        }
    }

    @Override
    public List<Change> changes(String from, String to) throws IOException {
        return store().changes(from, to);
    }

    @Override
    public void delete(String id) throws IOException {
        store().delete(id);
    }
}
