package dev.paddock.executor.os.stream;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Uninterruptibles;
import dev.paddock.executor.os.posix.Descriptors;
import dev.paddock.executor.os.posix.Epoll;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Waits for descriptors with Linux's {@code epoll(7)}. */
public final class EpollPoller implements Poller {
    private static final Logger LOG = LateLogger.of(EpollPoller.class);
    private static final long STOP = 0;

    private final Epoll epoll;
    private final Descriptors descriptors;
    private final Descriptors.Pipe stop;
    private final Map<Long, Runnable> watched = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong(STOP);
    private final Thread thread;

    public EpollPoller(Posix posix, String name) throws NativeFault {
        descriptors = posix.descriptors();
        epoll = posix.epoll();
        stop = descriptors.pipe();
        epoll.add(stop.readEnd(), Epoll.IN, STOP);
        thread = DaemonThreads.platform(name).start(this::run);
    }

    @Override
    public Watch watch(int descriptor, Readiness readiness, Runnable onReady) throws NativeFault {
        // A separate token: the descriptor's number may already refer to another file when an event
        // is delivered.
        long token = tokens.incrementAndGet();
        watched.put(token, onReady);
        try {
            epoll.add(descriptor, readiness == Readiness.READABLE ? Epoll.IN : Epoll.OUT, token);
        } catch (NativeFault fault) {
            watched.remove(token);
            throw fault;
        }
        return () -> {
            watched.remove(token);
            epoll.remove(descriptor);
        };
    }

    private void run() {
        try {
            while (true) {
                for (long token : epoll.await()) {
                    if (token == STOP) {
                        return;
                    }
                    Runnable ready = watched.remove(token);
                    if (ready != null) {
                        Poller.run(ready);
                    }
                }
            }
        } catch (NativeFault fault) {
            LOG.log(Level.ERROR, "The poller failed: exits and output of commands are no longer noticed", fault);
        } finally {
            epoll.close();
            descriptors.close(stop.readEnd());
        }
    }

    @Override
    public void close() {
        descriptors.close(stop.writeEnd());
        Uninterruptibles.join(thread);
    }
}
