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

/** Knows which file systems change a file's times at each kind of write, by {@code statfs(2)}. */
public final class FileSystems {
    /** A {@code struct statfs} has 120 bytes on 64-bit machines, and begins with the type. */
    private static final int STATFS_SIZE = 256;

    private static final long EXT4 = 0xEF53;
    private static final long XFS = 0x58465342;
    private static final long BTRFS = 0x9123683EL;

    /**
     * Those on which the kernel changes the change time at the first write through a new mapping. On tmpfs it does not:
     * a page that was read before is written without a trace.
     */
    private static final Set<Long> DATING_MAPPED_WRITES = Set.of(EXT4, XFS, BTRFS);

    private static final Optional<LibC> LIBRARY = LibC.isLinux() ? LibC.instance() : Optional.empty();

    private FileSystems() {}

    /**
     * Returns whether a process cannot change the content of a file at a path without changing its change time. False
     * if that is not known of the file system.
     *
     * @param path an absolute path; a link is followed
     */
    public static boolean dateMappedWrites(Path path) {
        return DATING_MAPPED_WRITES.contains(type(path));
    }

    /** Returns the number of a file system's type; 0 if it cannot be read. */
    private static long type(Path path) {
        if (LIBRARY.isEmpty()) {
            return 0;
        }
        byte[] name = PathBytes.of(path).getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer buffer = Memory.allocate(STATFS_SIZE + name.length + 1);
        buffer.put(STATFS_SIZE, name);
        long address = Memory.address(buffer);
        long result = LIBRARY.get().syscall(SystemCall.STATFS, address + STATFS_SIZE, address);
        return result == 0 ? buffer.getLong(0) & 0xffffffffL : 0;
    }
}
