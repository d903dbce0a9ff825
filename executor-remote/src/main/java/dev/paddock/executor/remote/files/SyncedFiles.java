package dev.paddock.executor.remote.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.RemoteCommands;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.sync.SyncDirectories;
import dev.paddock.executor.remote.sync.SystemChangedException;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Synchronizes the worktree around each command, and protects it: changes at protected names never reach the host, and
 * the guard settles the other changes before a result is reported.
 *
 * <p>A command runs in the same connected system that its files were copied to. A new run of the remote system starts
 * empty: everything is copied again, and files missing there are not removed here. Thread-safe.
 */
public final class SyncedFiles implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(SyncedFiles.class);

    private final SyncSettings settings;
    private final SyncDirectories directories;
    private final ProtectedLanding rule;
    private final WorktreeGuard guard;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    private volatile Optional<SyncedRun> current = Optional.empty();
    private List<String> unreported = new ArrayList<>();

    private SyncedFiles(SyncSettings settings, SyncDirectories directories, WorktreeGuard guard) {
        this.settings = settings;
        this.directories = directories;
        this.rule = new ProtectedLanding(directories.worktree(), settings.names());
        this.guard = guard;
    }

    /**
     * Guards the worktree; contacts the remote system at the first command.
     *
     * @param state the executor's own directory, which outlives the result
     * @return the files; the caller closes them
     */
    public static SyncedFiles over(SyncSettings settings, PrivateState state) {
        PathMapping worktree = settings.worktree();
        try {
            SyncDirectories directories = new SyncDirectories(
                    worktree.hostPath(),
                    worktree.commandPath(),
                    settings.remoteState(),
                    state.makeDirectory("sync"),
                    settings.quarantine(),
                    settings.limits().bytes(),
                    settings.limits().time());
            return new SyncedFiles(
                    settings,
                    directories,
                    WorktreeGuard.open(
                            worktree.hostPath(), settings.names(), state.directory(), settings.quarantine()));
        } catch (IOException fault) {
            throw new ExecutorException("files cannot be synchronized: " + FileFaults.reason(fault), fault);
        }
    }

    /** Returns the worktree's paths on the host and the remote system. */
    public PathMapping worktree() {
        return settings.worktree();
    }

    /** Returns whether the host never receives a change of a file that no protected name covers. */
    public boolean isKept(Path path) {
        return guard.isKept(path);
    }

    /**
     * Starts a command between a push and a pull.
     *
     * @param commands starts it
     * @param command the command string
     * @return the command's process, whose close includes the pull
     */
    public ProcessLike spawn(RemoteCommands commands, String command, SpawnOptions options) {
        options.signal().throwIfAborted();
        RemoteSystem remote = commands.remote(options.signal());
        WorktreeGuard.Command guarded = guard.announce(ProtectionPlan.NONE);
        guarded.begin();
        List<String> notices = new ArrayList<>();
        try {
            SyncedRun run = push(remote, options.signal(), notices);
            ProcessLike process = commands.spawn(remote, command, options);
            run.begun();
            List<String> early = new ArrayList<>(takeUnreported());
            early.addAll(notices);
            return SyncedProcess.of(process, reported -> finish(run, guarded, early, reported));
        } catch (RuntimeException fault) {
            notices.addAll(guarded.settle());
            keep(notices);
            throw fault;
        }
    }

    /** Copies the host's changes to the remote system; adds to the notices. */
    private SyncedRun push(RemoteSystem remote, AbortSignal signal, List<String> notices) {
        SyncedRun run = run(remote, signal);
        try {
            notices.addAll(run.push(signal, settings.progress()).notices());
            return run;
        } catch (SystemChangedException changed) {
            LOG.log(System.Logger.Level.DEBUG, "the worktree is synchronized from scratch", changed);
            SyncedRun restarted = run(remote, signal);
            notices.addAll(restarted.push(signal, settings.progress()).notices());
            return restarted;
        }
    }

    private SyncedRun run(RemoteSystem remote, AbortSignal signal) {
        lock.lock();
        try {
            if (current.filter(known -> known.continuesIn(remote)).isEmpty()) {
                SyncedRun next = SyncedRun.open(remote, directories, rule, signal);
                current.filter(SyncedRun::isUnfetched).ifPresent(last -> unreported.add(lostWith(last)));
                current.ifPresent(SyncedRun::close);
                current = Optional.of(next);
            }
            return current.get();
        } finally {
            lock.unlock();
        }
    }

    private static String lostWith(SyncedRun run) {
        return "Changes to files that commands made in " + run.what()
                + " were not fetched before it was lost: they are not here.";
    }

    /**
     * Returns, for messages, which changes of an ended command have not reached the worktree: a few paths and a number;
     * empty if none is known.
     */
    public Optional<String> awaited() {
        return current.flatMap(SyncedRun::awaited);
    }

    /**
     * Fetches a command's changes and settles the protected paths.
     *
     * @return sentences for the reader of the command's result
     */
    private List<String> finish(SyncedRun run, WorktreeGuard.Command guarded, List<String> early, boolean reported) {
        List<String> notices = new ArrayList<>(early);
        Optional<String> failure = Optional.empty();
        try {
            notices.addAll(run.pull(settings.progress()).notices());
        } catch (ExecutorException fault) {
            failure = Optional.of("The command's changes to files could not all be fetched: " + fault.getMessage()
                    + ". They are fetched with the next command, if they are still there then.");
        } finally {
            notices.addAll(guarded.settle());
            ended(run, failure.isEmpty());
        }
        if (!reported) {
            keep(notices);
            return List.of();
        }
        failure.ifPresent(notices::add);
        return notices;
    }

    private void ended(SyncedRun run, boolean isFetched) {
        lock.lock();
        try {
            run.ended(isFetched);
            if (!isFetched && !current.equals(Optional.of(run))) {
                unreported.add(lostWith(run));
            }
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Saves notices for the next report, since their own command has none. */
    private void keep(List<String> notices) {
        lock.lock();
        try {
            unreported.addAll(notices);
        } finally {
            lock.unlock();
        }
    }

    private List<String> takeUnreported() {
        lock.lock();
        try {
            List<String> taken = unreported.stream().distinct().toList();
            unreported = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the changes of every command have been fetched, and retries once. Call it before releasing the remote
     * system, when its commands have ended. Logs a failure.
     *
     * @param bound for both
     * @return whether every change is on the host
     */
    public boolean fetchLast(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        Optional<SyncedRun> last = awaitSettled(deadline);
        if (last.isEmpty()) {
            return true;
        }
        SyncedRun run = last.get();
        if (!run.isPending() && !run.isUnfetched()) {
            return true;
        }
        Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        try {
            keep(run.pullLast(AbortSignal.timeout(left)).notices());
            if (!run.isPending()) {
                return true;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "commands in {0} may have changed files after the last fetch; these changes are not here",
                    run.what());
        } catch (ExecutorException fault) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "changes to files that commands made in " + run.what() + " could not be fetched within "
                            + bound.toSeconds() + " s, and are not here: " + fault.getMessage());
        }
        return false;
    }

    private Optional<SyncedRun> awaitSettled(long deadline) {
        lock.lock();
        try {
            // Reserves half of the time for the last fetch.
            long left = (deadline - System.nanoTime()) / 2;
            while (current.filter(SyncedRun::isPending).isPresent() && left > 0) {
                left = settled.awaitNanos(left);
            }
            return current;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the protection, and logs the notices that no command has reported. */
    @Override
    public void close() {
        guard.close();
        endWaiting();
        takeUnreported().forEach(notice -> LOG.log(System.Logger.Level.WARNING, notice));
    }

    private void endWaiting() {
        lock.lock();
        try {
            current.ifPresent(SyncedRun::close);
        } finally {
            lock.unlock();
        }
    }
}
