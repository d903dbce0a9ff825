package dev.paddock.executor.ssh;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.remote.sync.SyncPlaces;
import dev.paddock.executor.remote.sync.SyncReport;
import dev.paddock.executor.remote.sync.WorktreeSync;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Synchronizes the worktree around each command, and keeps its protected paths: those with a name
 * that is protected never land, and the guard settles the rest before a result is reported.
 */
final class RemoteFiles implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(RemoteFiles.class);
    private static final String GIT = ".git";

    /** How long disposal, which may take 10 seconds, waits for the last changes. */
    private static final Duration FETCH_BOUND = Duration.ofSeconds(4);

    private final Path worktree;
    private final String remoteDirectory;
    private final String remoteState;
    private final Path quarantine;
    private final ProtectedPaths names;
    private final PrivateState state;
    private final WorktreeGuard guard;
    private final Consumer<Progress> progress;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<WorktreeSync> sync = Optional.empty();
    private final Condition settled = lock.newCondition();
    private int unsettled;
    private boolean unfetched;

    /**
     * Guards the worktree; connects at the first command.
     *
     * @param worktree its real path
     * @param remoteState a directory on the remote host for the synchronization's own files
     */
    RemoteFiles(
            Path worktree,
            String remoteDirectory,
            String remoteState,
            ProtectedPaths names,
            Path quarantine,
            PrivateState state,
            Consumer<Progress> progress) {
        this.worktree = worktree;
        this.remoteDirectory = remoteDirectory;
        this.remoteState = remoteState;
        this.names = names;
        this.quarantine = quarantine;
        this.state = state;
        this.progress = progress;
        this.guard = WorktreeGuard.open(worktree, names, state.directory(), quarantine);
    }

    /**
     * Starts a command between a push and a pull.
     *
     * @param source is connected
     * @param start starts it
     */
    ProcessLike around(SshSource source, SpawnOptions options, Supplier<ProcessLike> start) {
        WorktreeGuard.Command command = guard.announce(ProtectionPlan.NONE);
        command.begin();
        try {
            SyncReport pushed = sync(source, options.signal()).push(options.signal(), progress);
            ProcessLike process = start.get();
            count(1, unfetched());
            return SyncedProcess.of(process, pushed.notices(), () -> finish(command));
        } catch (RuntimeException fault) {
            command.settle().forEach(notice -> LOG.log(System.Logger.Level.WARNING, notice));
            throw fault;
        }
    }

    private WorktreeSync sync(SshSource source, AbortSignal signal) {
        lock.lock();
        try {
            if (sync.isEmpty()) {
                sync = Optional.of(WorktreeSync.open(
                        source::openChannel,
                        new SyncPlaces(worktree, remoteDirectory, remoteState, state.makeDirectory("sync"), quarantine),
                        this::mayLand,
                        signal));
            }
            return sync.get();
        } catch (IOException fault) {
            throw new ExecutorException("files cannot be synchronized: " + fault.getMessage(), fault);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Fetches the command's changes and settles the protected paths.
     *
     * @return sentences for the reader of the command's result
     */
    private List<String> finish(WorktreeGuard.Command command) {
        List<String> notices = new ArrayList<>();
        boolean failed = true;
        try {
            current()
                    .ifPresent(open ->
                            notices.addAll(open.pull(AbortSignal.never()).notices()));
            failed = false;
        } catch (ExecutorException fault) {
            notices.add("The command's changes to files could not all be fetched: " + fault.getMessage()
                    + ". They are fetched with the next command.");
        } finally {
            notices.addAll(command.settle());
            count(-1, failed);
        }
        return notices;
    }

    private Optional<WorktreeSync> current() {
        lock.lock();
        try {
            return sync;
        } finally {
            lock.unlock();
        }
    }

    private boolean unfetched() {
        lock.lock();
        try {
            return unfetched;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a command whose changes have not been fetched, or have been. */
    private void count(int commands, boolean isUnfetched) {
        lock.lock();
        try {
            unsettled += commands;
            unfetched = isUnfetched;
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Git's own files land if they belong to a repository that the host does not have yet: the guard
     * examines new repositories.
     */
    private boolean mayLand(Path path, boolean exists) {
        if (!names.covers(PathBytes.of(path)) && !(path.endsWith(GIT) && isPointer(path))) {
            return true;
        }
        for (int count = 1; count < path.getNameCount(); count++) {
            Path above = path.subpath(0, count);
            if (above.endsWith(GIT)) {
                return !Files.exists(worktree.resolve(above), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return false;
    }

    /** Returns whether the host has a linked worktree's {@code .git} file at a path. */
    private boolean isPointer(Path path) {
        return Files.isRegularFile(worktree.resolve(path), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Waits until every command's changes have been fetched, a few seconds at most, and tries once more
     * if that has failed.
     *
     * @return whether every change is on the host
     */
    boolean isFetched() {
        lock.lock();
        try {
            long left = FETCH_BOUND.toNanos();
            while (unsettled > 0 && left > 0) {
                left = settled.awaitNanos(left);
            }
            if (unsettled == 0 && unfetched && sync.isPresent()) {
                List<String> notices = sync.get().pull(AbortSignal.never()).notices();
                notices.forEach(notice -> LOG.log(System.Logger.Level.WARNING, notice));
                unfetched = false;
            }
            return unsettled == 0;
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.WARNING, "files could not be fetched", fault);
            return false;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        guard.close();
    }
}
