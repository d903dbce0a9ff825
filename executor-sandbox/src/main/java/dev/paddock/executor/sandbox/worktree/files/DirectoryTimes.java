package dev.paddock.executor.sandbox.worktree.files;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.Memory;
import dev.paddock.executor.process.posix.SystemCall;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the file systems on which no entry appears or disappears without moving its directory's change
 * time.
 *
 * <p>Not safe for use by several threads.
 */
final class DirectoryTimes {
    private static final long EXT4 = 0xef53L;
    private static final long XFS = 0x58465342L;
    private static final long BTRFS = 0x9123683eL;
    private static final long F2FS = 0xf2f52010L;
    private static final long ZFS = 0x2fc12fc1L;
    private static final long TMPFS = 0x01021994L;
    private static final long OVERLAYFS = 0x794c7630L;

    private static final Set<Long> MOVING = Set.of(EXT4, XFS, BTRFS, F2FS, ZFS, TMPFS, OVERLAYFS);
    private static final int STATFS_SIZE = 120;
    private static final int LONGEST_PATH = 4095;

    private final Optional<LibC> library = LibC.isLinux() ? LibC.instance() : Optional.empty();
    private final ByteBuffer memory = Memory.allocate(STATFS_SIZE + LONGEST_PATH + 1);

    /**
     * Returns whether the change time of a directory moves with its entries, for all that is known of its
     * file system. On others, such as those of a network, it may be remembered by the client or the
     * server for a while.
     *
     * @param directory an absolute path
     */
    boolean moveWithEntries(Path directory) {
        byte[] path = PathBytes.of(directory).getBytes(StandardCharsets.ISO_8859_1);
        if (library.isEmpty() || path.length > LONGEST_PATH) {
            return false;
        }
        memory.put(STATFS_SIZE, path).put(STATFS_SIZE + path.length, (byte) 0);
        long address = Memory.address(memory);
        long result = library.get().syscall(SystemCall.STATFS, address + STATFS_SIZE, address);
        return result == 0 && MOVING.contains(memory.getLong(0) & 0xffffffffL);
    }
}
