package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The kernel's events of directories in which entries are created, removed or given another mode. The kernel queues an
 * event within the call that causes it, so that {@link #read} returns the events of all earlier changes. The JDK's
 * watch service delivers them from its own thread, later.
 *
 * <p>Names and paths are bytes, in ISO 8859-1 strings. Not thread-safe.
 */
public final class Inotify implements AutoCloseable {
    private static final int IN_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
    private static final int IN_ATTRIB = 0x4;
    private static final int IN_MOVED_FROM = 0x40;
    private static final int IN_MOVED_TO = 0x80;
    private static final int IN_CREATE = 0x100;
    private static final int IN_DELETE = 0x200;
    private static final int IN_Q_OVERFLOW = 0x4000;
    private static final int IN_IGNORED = 0x8000;
    private static final int IN_ONLYDIR_DONT_FOLLOW = 0x1000000 | 0x2000000;

    /** Watch, mask, cookie and the name's length. */
    private static final int HEADER = 16;

    private static final Path QUEUE = Path.of("/proc/sys/fs/inotify/max_queued_events");
    private static final int USUAL_QUEUE = 16_384;

    private final LibC library;

    /** The queue's maximum of events, and the one that reports an overflow. */
    private final int longestQueue = longestQueue() + 1;

    private int descriptor;
    private final ByteBuffer buffer = Memory.allocate(64 << 10);

    public enum Kind {
        /** An entry was created or moved in. */
        CREATED,
        /** An entry was removed or moved out. */
        REMOVED,
        /** An entry's mode, owner or times have changed; without a name, the directory's own. */
        CHANGED,
        /** Events of any directory are lost. */
        OVERFLOW,
        /** The directory is gone, and with it the watch. */
        UNWATCHED
    }

    /**
     * An event.
     *
     * @param watch a number returned by {@link #watch}; -1 after an overflow
     * @param name the entry's name as bytes; empty if the event is about no entry
     */
    public record Event(int watch, Kind kind, String name) {}

    private Inotify(LibC library, int descriptor) {
        this.library = library;
        this.descriptor = descriptor;
    }

    /**
     * Opens a queue of events.
     *
     * @return empty elsewhere than on Linux, and if the kernel has no descriptor or queue left
     */
    public static Optional<Inotify> open() {
        Optional<LibC> library = LibC.isLinux() ? LibC.instance() : Optional.empty();
        return library.flatMap(Inotify::open);
    }

    private static Optional<Inotify> open(LibC library) {
        long descriptor = library.syscall(SystemCall.INOTIFY_INIT1, IN_NONBLOCK_CLOEXEC);
        return descriptor < 0 ? Optional.empty() : Optional.of(new Inotify(library, (int) descriptor));
    }

    private static int longestQueue() {
        try (BufferedReader limit = Files.newBufferedReader(QUEUE)) {
            return Integer.parseInt(String.valueOf(limit.readLine()));
        } catch (IOException | NumberFormatException unknown) {
            return USUAL_QUEUE;
        }
    }

    /**
     * Watches a directory. A second watch of the same one has the same number.
     *
     * @param path the directory's path as bytes; a link is not followed
     * @return the watch's number
     * @throws NoSuchFileException if it does not exist
     * @throws IOException if the user's limit on watches is reached, or the directory is unreadable
     */
    public int watch(String path) throws IOException {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        buffer.put(0, bytes).put(bytes.length, (byte) 0);
        long result = library.syscall(
                SystemCall.INOTIFY_ADD_WATCH,
                descriptor,
                Memory.address(buffer),
                IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR_DONT_FOLLOW);
        if (result == -Errno.ENOENT || result == -Errno.ENOTDIR) {
            throw new NoSuchFileException(path);
        }
        if (result < 0) {
            throw new FileSystemException(path, null, Errno.text((int) -result));
        }
        return (int) result;
    }

    /**
     * Delivers all queued events, in the order of the changes, without blocking. Returns even if a live process keeps
     * causing more, which the next call delivers.
     */
    public void read(Consumer<Event> sink) throws IOException {
        int left = longestQueue;
        while (left > 0) {
            int length = library.read(descriptor, Memory.address(buffer), buffer.capacity());
            if (length == -Errno.EAGAIN) {
                return;
            }
            if (length <= 0) {
                throw new IOException("the kernel's file events cannot be read: " + Errno.text(-length));
            }
            byte[] events = new byte[length];
            buffer.get(0, events);
            left -= decode(ByteBuffer.wrap(events).order(buffer.order()), sink);
        }
    }

    /** Passes on events, and returns how many. */
    private static int decode(ByteBuffer events, Consumer<Event> sink) {
        int passed = 0;
        while (events.remaining() >= HEADER) {
            passed++;
            int watch = events.getInt();
            int mask = events.getInt();
            events.getInt(); // the cookie, which pairs the two halves of a move
            byte[] padded = new byte[events.getInt()];
            events.get(padded);
            String name = new String(padded, StandardCharsets.ISO_8859_1);
            int end = name.indexOf('\0');
            sink.accept(new Event(watch, kind(mask), end < 0 ? name : name.substring(0, end)));
        }
        return passed;
    }

    private static Kind kind(int mask) {
        if ((mask & IN_Q_OVERFLOW) != 0) {
            return Kind.OVERFLOW;
        }
        if ((mask & IN_IGNORED) != 0) {
            return Kind.UNWATCHED;
        }
        if ((mask & IN_ATTRIB) != 0) {
            return Kind.CHANGED;
        }
        return (mask & (IN_CREATE | IN_MOVED_TO)) != 0 ? Kind.CREATED : Kind.REMOVED;
    }

    /** Ends all watches. A second call does nothing; afterwards the other calls fail. */
    @Override
    public void close() {
        if (descriptor >= 0) {
            library.close(descriptor);
            descriptor = -1; // the number may be another file's now
        }
    }
}
