package dev.paddock.executor.os.stream;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Uninterruptibles;
import dev.paddock.executor.os.posix.Descriptors;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.PollSet;
import dev.paddock.executor.os.posix.Posix;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Waits for descriptors on any POSIX system: with {@code poll(2)} over all watched descriptors, restarted whenever they
 * change.
 */
public final class PollPoller implements Poller {
    private static final Logger LOG = LateLogger.of(PollPoller.class);

    private final Posix posix;
    private final Descriptors.Pipe wake;
    private final Map<Long, Watched> watched = new LinkedHashMap<>();
    private final Thread thread;
    private long tokens;
    private boolean woken;
    private boolean stopping;
    private int failure;

    private record Watched(int descriptor, int events, Runnable onReady) {}

    public PollPoller(Posix posix, String name) throws NativeFault {
        this.posix = posix;
        wake = posix.descriptors().pipe();
        thread = DaemonThreads.platform(name).start(this::run);
    }

    @Override
    public synchronized Watch watch(int descriptor, Readiness readiness, Runnable onReady) throws NativeFault {
        if (failure != 0) {
            throw new NativeFault("no descriptor is waited for any more, since poll failed", failure);
        }
        // A separate token: the descriptor's number may already refer to another file when an event
        // is delivered.
        long token = ++tokens;
        int events = readiness == Readiness.READABLE ? PollSet.IN : PollSet.OUT;
        watched.put(token, new Watched(descriptor, events, onReady));
        wake();
        return () -> forget(token);
    }

    /**
     * Stops watching. A delivered event has already removed its entry; otherwise the thread must not continue with a
     * number that may soon refer to another file.
     */
    private synchronized void forget(long token) {
        if (watched.remove(token) != null) {
            wake();
        }
    }

    /** Wakes the thread with one byte for all changes of a round, so that the pipe never fills. */
    private void wake() {
        if (!woken) {
            woken = true;
            PollSet.signal(posix.c(), wake.writeEnd());
        }
    }

    private void run() {
        try {
            for (PollSet round = next(); !round.isEmpty(); round = next()) {
                for (long token : round.await()) {
                    runCallback(token);
                }
            }
        } catch (NativeFault fault) {
            LOG.log(Level.ERROR, "The poller failed: exits and output of commands are no longer noticed", fault);
            fail(fault.errno()).forEach(this::runCallback);
        } finally {
            end();
        }
    }

    /** Returns all watches: each callback runs, and detects the state of its descriptor. */
    private synchronized List<Long> fail(int error) {
        failure = error;
        return List.copyOf(watched.keySet());
    }

    /** Closes the pipe. The numbers of its ends may refer to other files afterwards, so no thread may write to them. */
    private synchronized void end() {
        woken = true;
        posix.descriptors().close(wake.readEnd());
        posix.descriptors().close(wake.writeEnd());
    }

    /** Returns the descriptors of the next round; none once the poller is to stop. */
    private synchronized PollSet next() {
        List<PollSet.Entry> entries = new ArrayList<>();
        if (!stopping) {
            if (woken) {
                PollSet.drain(posix.c(), wake.readEnd());
                woken = false;
            }
            entries.add(new PollSet.Entry(0, wake.readEnd(), PollSet.IN));
            watched.forEach((token, one) -> entries.add(new PollSet.Entry(token, one.descriptor(), one.events())));
        }
        return new PollSet(posix.c(), entries);
    }

    private void runCallback(Long token) {
        Watched ready;
        synchronized (this) {
            ready = watched.remove(token);
        }
        if (ready != null) {
            Poller.run(ready.onReady());
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            stopping = true;
            wake();
        }
        Uninterruptibles.join(thread);
    }
}
