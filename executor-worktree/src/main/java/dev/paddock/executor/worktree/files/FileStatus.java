package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The status of a file, read without following a link. Reads it by {@code statx(2)}, in a fraction of the JDK's time;
 * by the JDK elsewhere than on Linux.
 *
 * @param mode kind and permissions, as {@code st_mode}
 * @param owner the user id
 * @param group the group id
 * @param device the device's number, as {@code st_dev}
 * @param inode the inode's number on the device
 * @param links how many names the file has
 * @param size in bytes
 * @param changed the change time (ctime), in nanoseconds since 1970; no process can set it
 * @param born the birth time, in nanoseconds since 1970; 0 if the file system has none. It distinguishes a file from a
 *     removed one with the same inode
 */
public record FileStatus(
        int mode, int owner, int group, long device, long inode, int links, long size, long changed, long born) {
    private static final int KIND = 0170000;
    private static final int GROUP_WRITES = 020;
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int STATX_BASIC_STATS_AND_BTIME = 0xfff;
    private static final int STATX_BTIME = 0x800;

    /** Change times are as exact as the kernel's clock tick, up to 10 ms: a second change within it would not show. */
    private static final long TICK_MILLIS = 20;

    /** Some file systems store whole seconds, or every other one. */
    private static final long COARSE_TICK_MILLIS = 2_020;

    /** A change time further in the future comes from a wrong clock. */
    private static final long MAX_TICK_MILLIS = 5_000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Optional<LibC> LIBRARY = LibC.isLinux() ? LibC.instance() : Optional.empty();

    /** The group of the files that this JVM creates; -1 if unknown. */
    private static final int OWN_GROUP =
            LIBRARY.map(library -> (int) library.syscall(SystemCall.GETEGID)).orElse(-1);

    /**
     * Reads the status of a path.
     *
     * @param path an absolute path
     * @return empty if it does not exist
     * @throws IOException if an ancestor cannot be searched, or the path is too long
     */
    public static Optional<FileStatus> of(Path path) throws IOException {
        byte[] text = PathBytes.of(path).getBytes(StandardCharsets.ISO_8859_1);
        return LIBRARY.isPresent() && text.length <= CallBuffers.MAX_PATH
                ? statx(LIBRARY.get(), path, text)
                : portable(path);
    }

    private static Optional<FileStatus> statx(LibC library, Path path, byte[] text) throws IOException {
        ByteBuffer buffer = CallBuffers.with(text);
        try {
            long address = Memory.address(buffer);
            long result = library.syscall(
                    SystemCall.STATX,
                    AT_FDCWD,
                    address + CallBuffers.PATH,
                    AT_SYMLINK_NOFOLLOW,
                    STATX_BASIC_STATS_AND_BTIME,
                    address);
            return switch ((int) -result) {
                case 0 -> Optional.of(decoded(buffer));
                case Errno.ENOENT, Errno.ENOTDIR -> Optional.empty();
                case Errno.EACCES -> throw new AccessDeniedException(path.toString());
                default -> portable(path); // an old kernel, a filter around this JVM, or a fault that it names
            };
        } finally {
            CallBuffers.giveBack(buffer);
        }
    }

    /** Decodes a {@code struct statx}, which is the same on every processor. */
    private static FileStatus decoded(ByteBuffer statx) {
        return new FileStatus(
                statx.getShort(28) & 0xffff,
                statx.getInt(20),
                statx.getInt(24),
                device(statx.getInt(136), statx.getInt(140)),
                statx.getLong(32),
                statx.getInt(16),
                statx.getLong(40),
                TimeUnit.SECONDS.toNanos(statx.getLong(96)) + statx.getInt(104),
                hasBirth(statx) ? TimeUnit.SECONDS.toNanos(statx.getLong(80)) + statx.getInt(88) : 0);
    }

    private static boolean hasBirth(ByteBuffer statx) {
        return (statx.getInt(0) & STATX_BTIME) != 0;
    }

    /** Returns a device's number as {@code makedev(3)} does. */
    private static long device(long major, long minor) {
        return (major & 0xfffff000L) << 32 | (major & 0xfff) << 8 | (minor & 0xffffff00L) << 12 | (minor & 0xff);
    }

    private static Optional<FileStatus> portable(Path path) throws IOException {
        try {
            Map<String, Object> read =
                    Files.readAttributes(path, "unix:mode,uid,gid,dev,ino,nlink,size,ctime", LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new FileStatus(
                    (int) number(read, "mode"),
                    (int) number(read, "uid"),
                    (int) number(read, "gid"),
                    number(read, "dev"),
                    number(read, "ino"),
                    (int) number(read, "nlink"),
                    number(read, "size"),
                    ((FileTime) Objects.requireNonNull(read.get("ctime"))).to(TimeUnit.NANOSECONDS),
                    0));
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return Optional.empty();
        } catch (FileSystemException fault) {
            if (isBelowFile(path)) {
                return Optional.empty(); // the JDK has no exception of its own for it
            }
            throw fault;
        }
    }

    private static long number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.longValue() : -1;
    }

    private static boolean isBelowFile(Path path) {
        Path parent = path.getParent();
        return parent != null && Files.isRegularFile(parent, LinkOption.NOFOLLOW_LINKS);
    }

    public boolean isFile() {
        return (mode & KIND) == 0100000;
    }

    public boolean isDirectory() {
        return (mode & KIND) == 0040000;
    }

    public boolean isLink() {
        return (mode & KIND) == 0120000;
    }

    /** Returns whether members of a group other than this JVM's may write to it. */
    public boolean isWritableToOtherGroup() {
        return !isLink() && (mode & GROUP_WRITES) != 0 && group != OWN_GROUP;
    }

    /**
     * Returns whether any later change must have another change time: this one is older than a tick of the clock.
     *
     * @param taken a time before the status was read, in milliseconds since 1970
     */
    public boolean isSettledAt(long taken) {
        boolean coarse = changed % TimeUnit.SECONDS.toNanos(1) == 0;
        return TimeUnit.NANOSECONDS.toMillis(changed) + (coarse ? COARSE_TICK_MILLIS : TICK_MILLIS) < taken;
    }

    /**
     * Waits until each later change must have another change time. Does not wait for a time far ahead, which is a wrong
     * clock's.
     */
    public void awaitTick() {
        while (!isSettledAt(System.currentTimeMillis()) && isSettledAt(System.currentTimeMillis() + MAX_TICK_MILLIS)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Returns how much later a change with the same change time may be: whole seconds may come from a file system
     * without a smaller unit.
     *
     * @param millis the change time, in milliseconds since 1970
     * @return milliseconds
     */
    public static long tickOf(long millis) {
        return millis % 1000 == 0 ? COARSE_TICK_MILLIS : TICK_MILLIS;
    }

    /** Returns the part of a directory's status that is not about its own entries. */
    public FileStatus asEntry() {
        return new FileStatus(mode, owner, group, device, inode, 0, 0, 0, born);
    }

    // Written out: the JDK would generate it at each start of a program.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FileStatus that
                && mode == that.mode
                && owner == that.owner
                && group == that.group
                && device == that.device
                && inode == that.inode
                && links == that.links
                && size == that.size
                && changed == that.changed
                && born == that.born;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(inode) + Long.hashCode(changed);
    }

    /** Returns device, inode and birth time, which identify the file. */
    public String identity() {
        return device + " " + inode + " " + born;
    }
}
