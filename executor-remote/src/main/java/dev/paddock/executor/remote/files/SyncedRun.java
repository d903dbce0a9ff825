package dev.paddock.executor.remote.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.RemotePlace;
import dev.paddock.executor.remote.sync.LandingRule;
import dev.paddock.executor.remote.sync.PlaceChangedException;
import dev.paddock.executor.remote.sync.SyncPlaces;
import dev.paddock.executor.remote.sync.SyncReport;
import dev.paddock.executor.remote.sync.WorktreeSync;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The synchronization with one run of a place, over its current connection. Differences from
 * another run are not changes.
 */
final class SyncedRun implements AutoCloseable {
    private final String name;
    private final String what;
    private final WorktreeSync sync;
    private volatile RemotePlace place;
    private volatile boolean changed;

    /** How many commands' changes have not been fetched yet, and whether that has failed for one. */
    private int pending;

    private boolean unfetched;

    private SyncedRun(RemotePlace place, SyncPlaces places, LandingRule rule, AbortSignal signal) {
        this.name = place.run();
        this.what = place.what();
        this.place = place;
        this.sync =
                during(place, signal, combined -> WorktreeSync.open(new CurrentChannels(this), places, rule, combined));
    }

    /** Opens the synchronization; the first push merges both sides. */
    static SyncedRun open(RemotePlace place, SyncPlaces places, LandingRule rule, AbortSignal signal) {
        return new SyncedRun(place, places, rule, signal);
    }

    /** Starts processes over the current connection to the place. */
    private record CurrentChannels(SyncedRun run) implements ChannelFactory {
        @Override
        public ShellChannel open(List<String> argv) {
            return run.place.channels().open(argv);
        }

        @Override
        public boolean halfCloses() {
            return run.place.channels().halfCloses();
        }
    }

    /** Describes the place in messages. */
    String what() {
        return what;
    }

    /** Returns whether a reopened place is still in this run, and if so uses it from now on. */
    boolean continuesIn(RemotePlace life) {
        if (changed || !life.run().equals(name)) {
            return false;
        }
        place = life;
        return true;
    }

    /** Counts a command that has started. */
    synchronized void begun() {
        pending++;
        sync.expectPull();
    }

    /** Counts a command that has ended. A pull fetches what the earlier ones have left, too. */
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

    /** Fetches what has changed, unless the place is lost. */
    SyncReport pull(Consumer<Progress> progress) {
        return attempt(AbortSignal.never(), combined -> sync.pull(combined, progress));
    }

    /** Fetches what has changed from a place whose commands have ended, and that may be closed. */
    SyncReport pullLast(AbortSignal signal) {
        SyncReport report = sync.pull(signal, progress -> {});
        synchronized (this) {
            unfetched = false;
        }
        return report;
    }

    private SyncReport attempt(AbortSignal signal, Function<AbortSignal, SyncReport> action) {
        try {
            return during(place, signal, action);
        } catch (PlaceChangedException fault) {
            changed = true;
            throw fault;
        }
    }

    /**
     * Runs an action that also ends when the place is lost.
     *
     * @throws SandboxLostException if it is
     */
    private static <T> T during(RemotePlace place, AbortSignal signal, Function<AbortSignal, T> action) {
        AbortSignal lost = place.lossSignal();
        try {
            return action.apply(AbortSignal.any(signal, lost));
        } catch (AbortedException aborted) {
            signal.throwIfAborted();
            throw lost.aborted() ? loss(place, aborted) : aborted;
        } catch (SandboxLostException | PlaceChangedException known) {
            throw known;
        } catch (ExecutorException fault) {
            place.requireAnswer();
            throw fault;
        }
    }

    private static RuntimeException loss(RemotePlace place, AbortedException aborted) {
        try {
            RemotePlace unused = place.usable();
            return aborted;
        } catch (SandboxLostException lost) {
            return lost;
        }
    }
}
