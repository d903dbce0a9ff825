package dev.paddock.executor.os.file;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The status of a file.
 *
 * @param mode kind and permissions, as {@code st_mode}
 * @param owner the user id
 * @param group the group id
 * @param device the device's number
 * @param inode the inode's number on the device
 * @param links how many names the file has
 * @param size in bytes
 * @param modified the modification time, in nanoseconds since 1970
 * @param changed the change time, in nanoseconds since 1970; no process can set it
 */
public record Status(
        int mode, int owner, int group, long device, long inode, int links, long size, long modified, long changed) {

    static final int BYTES = 256;
    private static final int KIND = 0170000;

    /** Decodes a {@code struct statx}, which is the same on every processor. */
    static Status decoded(ByteBuffer statx) {
        return new Status(
                statx.getShort(28) & 0xffff,
                statx.getInt(20),
                statx.getInt(24),
                ((long) statx.getInt(136) << 32) | (statx.getInt(140) & 0xffffffffL),
                statx.getLong(32),
                statx.getInt(16),
                statx.getLong(40),
                TimeUnit.SECONDS.toNanos(statx.getLong(112)) + statx.getInt(120),
                TimeUnit.SECONDS.toNanos(statx.getLong(96)) + statx.getInt(104));
    }

    /** Returns whether this is a status of the same file or directory, at any time. */
    public boolean isSameFile(Status other) {
        return inode == other.inode && device == other.device;
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

    public String kind() {
        return switch (mode & KIND) {
            case 0100000 -> "file";
            case 0040000 -> "directory";
            case 0120000 -> "symbolic link";
            case 0010000 -> "pipe";
            case 0140000 -> "socket";
            case 0020000 -> "character device";
            case 0060000 -> "block device";
            default -> "file of an unknown kind";
        };
    }
}
