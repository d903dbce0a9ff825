package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import dev.paddock.executor.path.PathBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Identifies the file systems on which a change always updates the change time, and those of this kernel alone. */
public final class FileSystems {
    private static final long EXT4 = 0xef53L;
    private static final long XFS = 0x58465342L;
    private static final long BTRFS = 0x9123683eL;
    private static final long F2FS = 0xf2f52010L;
    private static final long ZFS = 0x2fc12fc1L;
    private static final long TMPFS = 0x01021994L;
    private static final long OVERLAYFS = 0x794c7630L;
    private static final long BCACHEFS = 0xca451a4eL;
    private static final long RAMFS = 0x858458f6L;
    private static final long VFAT = 0x4d44L;
    private static final long EXFAT = 0x2011bab0L;
    private static final long NTFS3 = 0x7366746eL;

    /**
     * The kernel updates the change time at the first write through a new mapping. Not on tmpfs, where a page that was
     * read before is written without a trace.
     */
    private static final Set<Long> DATING_MAPPED_WRITES = Set.of(EXT4, XFS, BTRFS);

    private static final Set<Long> DATING_ENTRIES = Set.of(EXT4, XFS, BTRFS, F2FS, ZFS, TMPFS, OVERLAYFS);

    /** No other machine changes a file there. A type that is not listed may be a network's, or a program's. */
    private static final Set<Long> OF_THIS_KERNEL =
            Set.of(EXT4, XFS, BTRFS, F2FS, ZFS, TMPFS, OVERLAYFS, BCACHEFS, RAMFS, VFAT, EXFAT, NTFS3);

    private static final Optional<LibC> LIBRARY = LibC.isLinux() ? LibC.instance() : Optional.empty();

    private FileSystems() {}

    /**
     * Returns whether a process cannot change the content of a file without changing its change time.
     *
     * @param file an absolute path; a link is followed
     */
    public static boolean dateMappedWrites(Path file) {
        return DATING_MAPPED_WRITES.contains(type(PathBytes.of(file)));
    }

    /**
     * Returns whether every entry that appears or disappears updates the directory's change time at once. On a network
     * file system, the client or the server may cache the time.
     *
     * @param directory an absolute path
     */
    static boolean dateEntries(Path directory) {
        return DATING_ENTRIES.contains(type(PathBytes.of(directory)));
    }

    /**
     * Returns whether only this kernel changes a directory, so that it reports every change and dates it by its own
     * clock. Assumes it where the type cannot be read, as on macOS: nothing is watched there.
     *
     * @param directory an absolute path
     */
    public static boolean areOfThisKernel(Path directory) {
        return areOfThisKernel(PathBytes.of(directory));
    }

    /**
     * The same for a path as bytes.
     *
     * @param directory ISO 8859-1
     */
    public static boolean areOfThisKernel(String directory) {
        return LIBRARY.isEmpty() || OF_THIS_KERNEL.contains(type(directory));
    }

    /** Returns the number of a file system's type, by {@code statfs(2)}; 0 if it cannot be read. */
    private static long type(String path) {
        byte[] name = path.getBytes(StandardCharsets.ISO_8859_1);
        if (LIBRARY.isEmpty() || name.length > CallBuffers.MAX_PATH) {
            return 0;
        }
        ByteBuffer buffer = CallBuffers.with(name);
        try {
            long address = Memory.address(buffer); // a struct statfs of 120 bytes, which begins with the type
            long result = LIBRARY.get().syscall(SystemCall.STATFS, address + CallBuffers.PATH, address);
            return result == 0 ? buffer.getLong(0) & 0xffffffffL : 0;
        } finally {
            CallBuffers.giveBack(buffer);
        }
    }
}
