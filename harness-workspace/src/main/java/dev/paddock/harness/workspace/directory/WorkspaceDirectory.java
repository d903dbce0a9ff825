package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.support.FileLock;
import dev.paddock.harness.workspace.tree.PartialDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory of a workspace, locked against its removal by others. Commands see only the directory {@link #FILES} in
 * it. Not thread-safe.
 */
final class WorkspaceDirectory implements AutoCloseable {
    static final String FILES = "files";
    static final String SNAPSHOTS = "snapshots";
    static final String RECORD = "workspace.json";
    /** Locked while the workspace is open; its modification time is the time of last use. */
    static final String USE = "use";
    /** Locked shared while commands run, or exclusively while the files are copied. */
    static final String COMMANDS = "commands";

    private final Path path;
    private final WorkspaceRecord record;
    private final Status identity;
    private final FileLock use;
    private Kept kept = Kept.NOTHING;
    private Optional<Path> hidden = Optional.empty();

    /**
     * The parts of a workspace outside of its directory. Each action may be repeated, and throws a
     * {@link WorkspaceFailedException} if it fails.
     *
     * @param suspend frees what its commands no longer need
     * @param discard removes it
     */
    record Kept(Runnable suspend, Runnable discard) {
        static final Kept NOTHING = new Kept(() -> {}, () -> {});
    }

    /**
     * Creates an instance.
     *
     * @param identity the status of the directory, which identifies it
     * @param use the lock on {@link #USE}, shared; this object closes it
     */
    WorkspaceDirectory(Path path, WorkspaceRecord record, Status identity, FileLock use) {
        this.path = path;
        this.record = record;
        this.identity = identity;
        this.use = use;
    }

    void keeps(Kept outside) {
        kept = outside;
    }

    WorkspaceRecord record() {
        return record;
    }

    Path files() {
        return path.resolve(FILES);
    }

    Path snapshots() {
        return path.resolve(SNAPSHOTS);
    }

    Path commands() {
        return path.resolve(COMMANDS);
    }

    /**
     * Removes the directory: atomically renames it, then deletes its content. May be repeated after a failure.
     *
     * @throws WorkspaceFailedException if others have the workspace open, or something else has replaced the directory
     */
    void remove() throws IOException {
        Kernel kernel = Kernel.create();
        if (hidden.isEmpty()) {
            if (!use.takeAlone()) {
                use.share(); // the kernel released the shared lock to convert it
                throw openElsewhere();
            }
            try {
                requireSame(kernel.status(Kernel.NO_DIRECTORY, PathBytes.of(path)));
                asAlone(kept.discard());
                hidden = Optional.of(PartialDirectory.hide(kernel, path));
            } catch (Fault fault) {
                if (fault.is(Fault.ENOENT)) {
                    close(); // removed by other means
                    return;
                }
                throw fault;
            }
        }
        PartialDirectory.removeHidden(kernel, hidden.get());
        close();
    }

    private void requireSame(Status now) throws IOException {
        if (!now.isSameFile(identity)) {
            use.share();
            throw new WorkspaceFailedException("the workspace's directory has been replaced by another " + now.kind()
                    + ", which is not removed: suspend the workspace, and remove its files where they are now");
        }
    }

    static WorkspaceFailedException openElsewhere() {
        return WorkspaceFailedException.passing("the workspace is open elsewhere, in this process or another;"
                + " suspend it there, and then close it");
    }

    /** Records the current time as that of the last use. */
    void touch() throws IOException {
        use.touch();
    }

    /**
     * Runs an action while nobody else has the workspace open. If the action fails, others can open
     * it again.
     */
    private void asAlone(Runnable action) throws IOException {
        try {
            action.run();
        } catch (RuntimeException fault) {
            boolean unused = use.share();
            throw fault;
        }
    }

    /** Unlocks the directory, and suspends the workspace's parts outside of it, unless it is open elsewhere. */
    void suspend() throws IOException {
        touch();
        if (use.takeAlone()) {
            asAlone(kept.suspend());
        }
        close();
    }

    /** Records the last use, and unlocks the directory. */
    void leave() throws IOException {
        touch();
        close();
    }

    @Override
    public void close() throws IOException {
        use.close();
    }
}
