package dev.paddock.executor.remote.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.sync.LandingRule;
import dev.paddock.executor.remote.sync.SyncDirectories;
import dev.paddock.executor.remote.sync.SyncReport;
import dev.paddock.executor.remote.sync.SystemChangedException;
import dev.paddock.executor.remote.sync.WorktreeSync;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The synchronization with one run of a remote system, over its current connection. Differences from another run are
 * not changes.
 */
final class SyncedRun implements AutoCloseable {
    private final String name;
    private final String what;
    private final WorktreeSync sync;
    private volatile RemoteSystem remote;
    private volatile boolean changed;

    /** How many commands' changes have not been fetched yet, and whether that has failed for one. */
    private int pending;

    private boolean unfetched;

    private SyncedRun(RemoteSystem remote, SyncDirectories directories, LandingRule rule, AbortSignal signal) {
        this.name = remote.run();
        this.what = remote.what();
        this.remote = remote;
        this.sync = during(
                remote, signal, combined -> WorktreeSync.open(new CurrentChannels(this), directories, rule, combined));
    }

    /** Opens the synchronization; the first push merges both sides. */
    static SyncedRun open(RemoteSystem remote, SyncDirectories directories, LandingRule rule, AbortSignal signal) {
        return new SyncedRun(remote, directories, rule, signal);
    }

    /** Starts processes over the current connection to the remote system. */
    private record CurrentChannels(SyncedRun run) implements ChannelFactory {
        @Override
        public ShellChannel open(List<String> argv) {
            return run.remote.channels().open(argv);
        }

        @Override
        public boolean closesHalf() {
            return run.remote.channels().closesHalf();
        }
    }

    String what() {
        return what;
    }

    /** Returns whether a reopened remote system is still in this run, and if so uses it from now on. */
    boolean continuesIn(RemoteSystem system) {
        if (changed || !system.run().equals(name)) {
            return false;
        }
        remote = system;
        return true;
    }

    synchronized void begun() {
        pending++;
        sync.expectPull();
    }

    /** Counts an ended command. A pull also fetches the changes of earlier ones. */
    synchronized void ended(boolean isFetched) {
        pending--;
        unfetched = !isFetched;
        if (pending > 0) {
            sync.expectPull();
        }
    }

    synchronized boolean isPending() {
        return pending > 0;
    }

    synchronized boolean isUnfetched() {
        return unfetched;
    }

    /** Ends the remote process that waits for the next pull. */
    @Override
    public void close() {
        sync.close();
    }

    Optional<String> awaited() {
        return sync.awaited();
    }

    SyncReport push(AbortSignal signal, Consumer<Progress> progress) {
        return attempt(signal, combined -> sync.push(combined, progress));
    }

    /** Fetches the changes, unless the remote system is lost. */
    SyncReport pull(Consumer<Progress> progress) {
        return attempt(AbortSignal.never(), combined -> sync.pull(combined, progress));
    }

    /** Fetches the changes from a remote system whose commands have ended, and that may be closed. */
    SyncReport pullLast(AbortSignal signal) {
        SyncReport report = sync.pull(signal, progress -> {});
        synchronized (this) {
            unfetched = false;
        }
        return report;
    }

    private SyncReport attempt(AbortSignal signal, Function<AbortSignal, SyncReport> action) {
        try {
            return during(remote, signal, action);
        } catch (SystemChangedException fault) {
            changed = true;
            throw fault;
        }
    }

    /**
     * Runs an action that also ends when the remote system is lost.
     *
     * @throws SandboxLostException if it is
     */
    private static <T> T during(RemoteSystem remote, AbortSignal signal, Function<AbortSignal, T> action) {
        AbortSignal lost = remote.lossSignal();
        try {
            return action.apply(AbortSignal.any(signal, lost));
        } catch (AbortedException aborted) {
            signal.throwIfAborted();
            throw lost.isAborted() ? loss(remote, aborted) : aborted;
        } catch (SandboxLostException | SystemChangedException known) {
            throw known;
        } catch (ExecutorException fault) {
            remote.requireAnswer();
            throw fault;
        }
    }

    private static RuntimeException loss(RemoteSystem remote, AbortedException aborted) {
        try {
            RemoteSystem unused = remote.usable();
            return aborted;
        } catch (SandboxLostException lost) {
            return lost;
        }
    }
}
