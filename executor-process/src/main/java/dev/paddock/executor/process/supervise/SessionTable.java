package dev.paddock.executor.process.supervise;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.process.launch.Launcher;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;

/**
 * Lists the sessions of live commands, one per line, in an anonymous file that the reaper also has open and that
 * outlives the JVM.
 */
final class SessionTable implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(SessionTable.class);
    private static final int LINE_BYTES = 11;
    private static final byte[] FREE = "          \n".getBytes(US_ASCII);

    private final Optional<Posix> posix;
    private final OptionalInt descriptor;
    private final Map<Long, Integer> lines = new HashMap<>();
    private final PriorityQueue<Integer> free = new PriorityQueue<>();
    private boolean closed;

    private SessionTable(Optional<Posix> posix, OptionalInt descriptor) {
        this.posix = posix;
        this.descriptor = descriptor;
    }

    static SessionTable create(Launcher launcher) {
        Optional<Posix> posix = launcher.posix();
        if (posix.isEmpty()) {
            return new SessionTable(posix, OptionalInt.empty());
        }
        try {
            int file = posix.get().descriptors().file(new byte[0]);
            return new SessionTable(posix, OptionalInt.of(file));
        } catch (NativeFault fault) {
            LOG.log(Level.WARNING, "After a death of the JVM, commands will be found by their marker alone", fault);
            return new SessionTable(posix, OptionalInt.empty());
        }
    }

    OptionalInt descriptor() {
        return descriptor;
    }

    synchronized void add(long session) {
        Integer reused = free.poll();
        int line = reused == null ? lines.size() : reused;
        lines.put(session, line);
        byte[] text = FREE.clone();
        byte[] digits = Long.toString(session).getBytes(US_ASCII);
        System.arraycopy(digits, 0, text, 0, digits.length);
        write(line, text);
    }

    synchronized void remove(long session) {
        Integer line = lines.remove(session);
        if (line != null) {
            free.add(line);
            write(line, FREE);
        }
    }

    private void write(int line, byte[] text) {
        if (descriptor.isEmpty() || closed) {
            return;
        }
        try {
            posix.orElseThrow().descriptors().write(descriptor.getAsInt(), text, (long) line * LINE_BYTES);
        } catch (NativeFault fault) {
            LOG.log(Level.WARNING, "After a death of the JVM, a command will be found by its marker alone", fault);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed && descriptor.isPresent()) {
            posix.orElseThrow().descriptors().close(descriptor.getAsInt());
        }
        closed = true;
    }
}
