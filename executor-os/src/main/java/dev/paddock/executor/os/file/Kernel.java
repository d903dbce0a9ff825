package dev.paddock.executor.os.file;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes system calls on entries of an open directory that follow no link, so that a program that replaces a directory
 * with a link meanwhile cannot redirect a call.
 *
 * <p>Names are bytes, in ISO 8859-1 strings. Not thread-safe.
 */
public final class Kernel {
    /** Replaces a directory's descriptor: the name is absolute. */
    public static final int NO_DIRECTORY = -100;

    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();
    private static final int NOFOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int CLOEXEC = 0x80000;
    private static final int REFERENCE = 0x200000; // O_PATH
    private static final int NONBLOCK = 0x800;
    private static final int NOCTTY = 0x100;
    private static final int CREATE_NEW = 0x2 | 0x40 | 0x80; // O_RDWR | O_CREAT | O_EXCL
    private static final int SYMLINK_NOFOLLOW = 0x100;
    private static final int EMPTY_PATH = 0x1000;
    private static final int REMOVE_DIRECTORY = 0x200;
    private static final int RENAME_NOREPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;
    private static final int BASIC_STATS = 0x7ff;
    private static final int SYNC_FILE_RANGE_WRITE = 2;
    private static final int UTIME_OMIT = (1 << 30) - 2;
    private static final int LOCK_NONBLOCKING = 4;

    /** The size of {@code struct open_how}: flags, mode and the restrictions on path resolution. */
    private static final int HOW_BYTES = 24;

    /** {@code RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS}. */
    private static final long WITHIN_AND_WITHOUT_LINKS = 0x08 | 0x04 | 0x02;

    private static final int MAX_PATH_BYTES = 4095;

    private final LibC library;
    private final ByteBuffer name = Memory.allocate(MAX_PATH_BYTES + 1);
    private final ByteBuffer other = Memory.allocate(MAX_PATH_BYTES + 1);
    private final ByteBuffer answer = Memory.allocate(64 << 10);
    private final long nameAt = Memory.address(name);
    private final long otherAt = Memory.address(other);
    private final long answerAt = Memory.address(answer);
    private final byte[] entries = new byte[answer.capacity()];

    private Kernel(LibC library) {
        this.library = library;
    }

    public static boolean isAvailable() {
        return LibC.isLinux()
                && Architecture.current().isPresent()
                && LibC.instance().isPresent();
    }

    /**
     * Creates an instance for one thread.
     *
     * @throws IOException on other systems than Linux on x86-64 or AArch64, or without native access
     */
    public static Kernel create() throws IOException {
        if (!LibC.isLinux() || Architecture.current().isEmpty()) {
            throw new IOException("copies and snapshots of a tree need Linux on x86-64 or AArch64; this is "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
        }
        return new Kernel(LibC.instance()
                .orElseThrow(() -> new IOException("copies and snapshots of a tree need calls of the C library: "
                        + LibC.obstacle().map(Object::toString).orElse("they are denied")
                        + "; start java with --enable-native-access=ALL-UNNAMED")));
    }

    public int openDirectory(int at, String entry) throws Fault {
        return (int) named(SystemCall.OPENAT, at, entry, DIRECTORY | NOFOLLOW | CLOEXEC | NONBLOCK, 0);
    }

    /**
     * Opens a directory at a path below another, to list it; through no link, on kernels from 2020 on.
     *
     * @throws Fault with {@link Fault#ELOOP} if a directory on the path is a link
     */
    public int openDirectoryBelow(int at, String path) throws Fault {
        answer.putLong(0, DIRECTORY | NOFOLLOW | CLOEXEC | NONBLOCK)
                .putLong(8, 0)
                .putLong(16, WITHIN_AND_WITHOUT_LINKS);
        try {
            return (int) named(SystemCall.OPENAT2, at, path, answerAt, HOW_BYTES);
        } catch (Fault fault) {
            if (fault.is(Errno.ENOSYS) || fault.is(Fault.EPERM)) { // an old kernel, or a filter around this JVM
                return openDirectory(at, path);
            }
            throw fault;
        }
    }

    /** Opens a directory only to reach its entries, which needs no permission to list them. */
    public int referDirectory(int at, String entry) throws Fault {
        return (int) named(SystemCall.OPENAT, at, entry, REFERENCE | DIRECTORY | NOFOLLOW | CLOEXEC, 0);
    }

    /** Opens a file to read; does not wait for the writer if it is a pipe. */
    public int openFile(int at, String entry) throws Fault {
        return (int) named(SystemCall.OPENAT, at, entry, NOFOLLOW | CLOEXEC | NONBLOCK | NOCTTY, 0);
    }

    /** Creates a file that only the user can read and write. */
    public int createFile(int at, String entry) throws Fault {
        return (int) named(SystemCall.OPENAT, at, entry, CREATE_NEW | NOFOLLOW | CLOEXEC, 0600);
    }

    public void close(int descriptor) {
        library.close(descriptor);
    }

    /** Returns the status of an entry, without following a link. */
    public Status status(int at, String entry) throws Fault {
        put(name, entry);
        check(library.syscall(SystemCall.STATX, at, nameAt, SYMLINK_NOFOLLOW, BASIC_STATS, answerAt));
        return Status.decoded(answer);
    }

    public Status status(int descriptor) throws Fault {
        name.put(0, (byte) 0);
        check(library.syscall(SystemCall.STATX, descriptor, nameAt, EMPTY_PATH, BASIC_STATS, answerAt));
        return Status.decoded(answer);
    }

    @FunctionalInterface
    public interface Entries {
        /**
         * Receives an entry; never {@code .} and {@code ..}.
         *
         * @param type its {@code d_type}
         */
        void entry(String entry, byte type);

        /** Returns whether an entry is wanted, by its type and the first byte of its name; no others are decoded. */
        default boolean wants(byte type, byte first) {
            return true;
        }
    }

    /** Reads the names in an open directory that has not been read before, without . and .. */
    public List<String> names(int directory) throws Fault {
        List<String> names = new ArrayList<>();
        list(directory, (entry, type) -> names.add(entry));
        return names;
    }

    /**
     * Reads the next names in an open directory, without . and .. A command can add entries faster than they are read,
     * so that a whole list has no bound.
     *
     * @param most stops after so many, but includes all of the last call to the kernel
     * @return the names; none at the end
     */
    public List<String> names(int directory, int most) throws Fault {
        List<String> names = new ArrayList<>();
        int length = 1;
        while (length > 0 && names.size() < most) {
            length = listNext(directory, (entry, type) -> names.add(entry));
        }
        return names;
    }

    /** Reads the entries of an open directory that has not been read before; the sink must not call this object. */
    public void list(int directory, Entries sink) throws Fault {
        int length = 1;
        while (length > 0) {
            length = listNext(directory, sink);
        }
    }

    private int listNext(int directory, Entries sink) throws Fault {
        int length = (int) check(library.syscall(SystemCall.GETDENTS64, directory, answerAt, answer.capacity()));
        answer.get(0, entries, 0, length);
        decode(length, sink);
        return length;
    }

    /** Decodes a series of {@code struct linux_dirent64}. */
    private void decode(int length, Entries sink) {
        for (int at = 0; at < length; at += (entries[at + 16] & 0xff) | (entries[at + 17] & 0xff) << 8) {
            byte type = entries[at + 18];
            int start = at + 19;
            if (!sink.wants(type, entries[start])) {
                continue;
            }
            int end = start;
            while (entries[end] != 0) {
                end++;
            }
            boolean self =
                    entries[start] == '.' && (end == start + 1 || (end == start + 2 && entries[start + 1] == '.'));
            if (!self) {
                sink.entry(new String(entries, start, end - start, StandardCharsets.ISO_8859_1), type);
            }
        }
    }

    public String target(int at, String entry) throws Fault {
        int length = (int) named(SystemCall.READLINKAT, at, entry, answerAt, answer.capacity());
        return text(length);
    }

    public void makeDirectory(int at, String entry) throws Fault {
        named(SystemCall.MKDIRAT, at, entry, 0700, 0);
    }

    public void makeLink(int at, String entry, String target) throws Fault {
        put(other, target);
        put(name, entry);
        check(library.syscall(SystemCall.SYMLINKAT, otherAt, at, nameAt));
    }

    /** Creates a hard link; both names are relative to their descriptors. */
    public void makeHardLink(int fromAt, String from, int at, String entry) throws Fault {
        put(other, from);
        put(name, entry);
        check(library.syscall(SystemCall.LINKAT, fromAt, otherAt, at, nameAt, 0));
    }

    public void remove(int at, String entry, boolean directory) throws Fault {
        named(SystemCall.UNLINKAT, at, entry, directory ? REMOVE_DIRECTORY : 0, 0);
    }

    /** Renames an entry of a directory; never replaces another. */
    public void rename(int at, String from, String to) throws Fault {
        put(other, from);
        put(name, to);
        check(library.syscall(SystemCall.RENAMEAT2, at, otherAt, at, nameAt, RENAME_NOREPLACE));
    }

    /** Atomically exchanges two entries of a directory. */
    public void exchange(int at, String one, String another) throws Fault {
        put(other, one);
        put(name, another);
        check(library.syscall(SystemCall.RENAMEAT2, at, otherAt, at, nameAt, RENAME_EXCHANGE));
    }

    /** Renames an entry into another directory, replacing an existing one: a link itself, never its target. */
    public void replace(int fromAt, String from, int at, String to) throws Fault {
        put(other, from);
        put(name, to);
        check(library.syscall(SystemCall.RENAMEAT2, fromAt, otherAt, at, nameAt, 0));
    }

    /**
     * Sets the permissions of an entry.
     *
     * @throws Fault with {@link Fault#ELOOP} if it is a link
     */
    public void setMode(int at, String entry, int mode) throws Fault {
        int descriptor = (int) named(SystemCall.OPENAT, at, entry, REFERENCE | NOFOLLOW | CLOEXEC, 0);
        try {
            if (status(descriptor).isLink()) {
                throw new Fault(Fault.ELOOP);
            }
            // fchmod refuses such a descriptor
            named(SystemCall.FCHMODAT, NO_DIRECTORY, "/proc/self/fd/" + descriptor, mode & 07777, 0);
        } finally {
            close(descriptor);
        }
    }

    public void setMode(int descriptor, int mode) throws Fault {
        check(library.syscall(SystemCall.FCHMOD, descriptor, mode & 07777));
    }

    public void setOwner(int descriptor, int owner, int group) throws Fault {
        check(library.syscall(SystemCall.FCHOWN, descriptor, owner, group));
    }

    /** Sets the modification time of an entry, without following a link. */
    public void setModified(int at, String entry, long nanos) throws Fault {
        putTimes(nanos);
        named(SystemCall.UTIMENSAT, at, entry, answerAt, SYMLINK_NOFOLLOW);
    }

    public void setModified(int descriptor, long nanos) throws Fault {
        putTimes(nanos);
        check(library.syscall(SystemCall.UTIMENSAT, descriptor, 0, answerAt, 0));
    }

    private void putTimes(long nanos) {
        answer.putLong(0, 0)
                .putLong(8, UTIME_OMIT)
                .putLong(16, Math.floorDiv(nanos, 1_000_000_000L))
                .putLong(24, Math.floorMod(nanos, 1_000_000_000L));
    }

    /** Returns the names of an open file's attributes; empty where the file system has none. */
    public List<String> attributes(int descriptor) throws Fault {
        long length = library.syscall(SystemCall.FLISTXATTR, descriptor, answerAt, answer.capacity());
        if (length < 0 && new Fault((int) -length).isUnsupported()) {
            return List.of();
        }
        return check(length) == 0 ? List.of() : List.of(text((int) length).split("\0", -1));
    }

    public byte[] attribute(int descriptor, String attribute) throws Fault {
        int length = (int) named(SystemCall.FGETXATTR, descriptor, attribute, answerAt, answer.capacity());
        byte[] value = new byte[length];
        answer.get(0, value);
        return value;
    }

    public void setAttribute(int descriptor, String attribute, byte[] value) throws Fault {
        answer.put(0, value);
        put(name, attribute);
        check(library.syscall(SystemCall.FSETXATTR, descriptor, nameAt, answerAt, value.length, 0));
    }

    /**
     * Starts writing a file's dirty pages. A later store through a mapping then updates the change time;
     * a store to a page that is still dirty does not.
     */
    public void writeBack(int descriptor) {
        library.syscall(SystemCall.SYNC_FILE_RANGE, descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    }

    /** Writes all changes in the file system of an open file to the device. */
    public void syncFileSystem(int descriptor) throws Fault {
        check(library.syscall(SystemCall.SYNCFS, descriptor));
    }

    /**
     * Acquires or releases a lock on an open file; the kernel releases it when the process exits.
     *
     * @param operation 1 shared, 2 exclusive, 8 release
     * @return false if a conflicting lock exists
     */
    public boolean lock(int descriptor, int operation) throws Fault {
        long result = library.syscall(SystemCall.FLOCK, descriptor, operation | LOCK_NONBLOCKING);
        if (result == -Fault.EAGAIN) {
            return false;
        }
        check(result);
        return true;
    }

    /** Returns the next offset of data, or of a hole; negative if there is none. */
    public long seek(int descriptor, long offset, boolean data) {
        return library.syscall(SystemCall.LSEEK, descriptor, offset, data ? 3 : 4);
    }

    public void position(int descriptor, long offset) throws Fault {
        check(library.syscall(SystemCall.LSEEK, descriptor, offset, 0));
    }

    public void truncate(int descriptor, long size) throws Fault {
        check(library.syscall(SystemCall.FTRUNCATE, descriptor, size));
    }

    /** Copies within the kernel; returns the number of bytes, or -1 where that is not possible. */
    public long copyRange(int from, int to, long length) throws Fault {
        long result = library.syscall(SystemCall.COPY_FILE_RANGE, from, 0, to, 0, length, 0);
        if (result < 0 && new Fault((int) -result).isUnsupported()) {
            return -1;
        }
        return check(result);
    }

    /** Reads into a direct buffer from its start; returns the number of bytes, 0 at the end. */
    public int read(int descriptor, ByteBuffer direct, int most) throws Fault {
        return (int) check(library.read(descriptor, Memory.address(direct), most));
    }

    public void write(int descriptor, ByteBuffer direct, int length) throws Fault {
        int done = 0;
        while (done < length) {
            done += (int) check(library.write(descriptor, Memory.address(direct) + done, length - done));
        }
    }

    private long named(SystemCall call, int at, String entry, long first, long second) throws Fault {
        put(name, entry);
        return check(library.syscall(call, at, nameAt, first, second));
    }

    private static void put(ByteBuffer buffer, String text) throws Fault {
        int length = text.length();
        if (length > MAX_PATH_BYTES) {
            throw new Fault(36); // ENAMETOOLONG
        }
        for (int at = 0; at < length; at++) {
            buffer.put(at, (byte) text.charAt(at));
        }
        buffer.put(length, (byte) 0);
    }

    private String text(int length) {
        byte[] bytes = new byte[length];
        answer.get(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static long check(long result) throws Fault {
        if (result < 0) {
            throw new Fault((int) -result);
        }
        return result;
    }
}
