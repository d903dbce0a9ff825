package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.support.FileLock;
import java.io.IOException;

/**
 * Counts a workspace's commands, and prevents copies of the files while any of them runs, in this process or another.
 * Thread-safe.
 */
final class LiveCommands implements AutoCloseable {
    private final FileLock lock;
    private int live;
    private boolean copying;

    LiveCommands(FileLock lock) {
        this.lock = lock;
    }

    @FunctionalInterface
    interface Copy<T> {
        T make() throws IOException;
    }

    /**
     * Begins a command; {@link #end} ends it.
     *
     * @throws SpawnException if the files are being copied
     */
    synchronized void begin() {
        try {
            if (copying || (live == 0 && !lock.share())) {
                throw new SpawnException("the command was not started: the workspace's files are being copied;"
                        + " run it when the copy or snapshot is complete");
            }
        } catch (IOException fault) {
            throw new SpawnException("the workspace's lock cannot be taken: " + FileFaults.reason(fault), fault);
        }
        live++;
    }

    synchronized void end() {
        live--;
        if (live == 0) {
            release();
        }
    }

    /**
     * Copies the files.
     *
     * @throws WorkspaceFailedException if commands run, or another copy is in progress
     */
    <T> T whileNoneRuns(Copy<T> copy) throws IOException {
        synchronized (this) {
            if (copying || live > 0 || !lock.takeAlone()) {
                throw WorkspaceFailedException.passing(
                        live > 0
                                ? "commands run in the workspace, " + live + " of them; end them before it is copied"
                                : "commands run in the workspace elsewhere, or it is being copied; wait for their end");
            }
            copying = true;
        }
        try {
            return copy.make();
        } finally {
            synchronized (this) {
                copying = false;
                release();
            }
        }
    }

    private void release() {
        try {
            lock.release();
        } catch (IOException impossible) {
            throw new IllegalStateException("a lock cannot be released", impossible);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
