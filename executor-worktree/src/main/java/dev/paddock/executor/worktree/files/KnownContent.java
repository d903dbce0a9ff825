package dev.paddock.executor.worktree.files;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.process.posix.Errno;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.Memory;
import dev.paddock.executor.process.posix.SystemCall;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The bytes of a small file. Comparing a file with them takes three system calls, and neither follows a link on the way nor
 * waits for a pipe.
 */
public final class KnownContent {
    /** Larger files are compared with their copy. */
    public static final int MAX_BYTES = 1 << 16;

    private static final int AT_FDCWD = -100;
    private static final int EPERM = 1;

    /** {@code struct open_how}: flags, mode and the restrictions on the way. */
    private static final int HOW_SIZE = 24;

    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();

    /** {@code O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY}. */
    private static final long OPEN = (ARM ? 0x8000 : 0x20000) | 0x80000 | 0x800 | 0x100;

    /** {@code RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS}. */
    private static final long WITHOUT_LINKS = 0x02 | 0x04;

    private static final Optional<LibC> LIBRARY = LibC.isLinux() ? LibC.instance() : Optional.empty();

    private final byte[] bytes;

    /**
     * Creates the content of a file.
     *
     * @param bytes at most {@link #MAX_BYTES}; the caller does not change them
     */
    public KnownContent(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns whether a file has these bytes.
     *
     * @param file an absolute path without links
     * @return false if it cannot be opened, or a link leads to it; empty if this kernel cannot open a file so
     */
    public Optional<Boolean> isOf(Path file) {
        byte[] path = PathBytes.of(file).getBytes(StandardCharsets.ISO_8859_1);
        if (LIBRARY.isEmpty() || path.length > CallBuffers.MAX_PATH) {
            return Optional.empty();
        }
        long descriptor = open(path);
        if (descriptor < 0) {
            return descriptor == -Errno.ENOSYS || descriptor == -EPERM ? Optional.empty() : Optional.of(false);
        }
        try {
            return Optional.of(isReadFrom((int) descriptor));
        } finally {
            LIBRARY.get().close((int) descriptor);
        }
    }

    private static long open(byte[] path) {
        ByteBuffer buffer = CallBuffers.with(path);
        try {
            buffer.putLong(0, OPEN).putLong(8, 0).putLong(16, WITHOUT_LINKS);
            long address = Memory.address(buffer);
            return LIBRARY.orElseThrow()
                    .syscall(SystemCall.OPENAT2, AT_FDCWD, address + CallBuffers.PATH, address, HOW_SIZE);
        } finally {
            CallBuffers.giveBack(buffer);
        }
    }

    private boolean isReadFrom(int descriptor) {
        ByteBuffer read = Memory.allocate(bytes.length + 1);
        long address = Memory.address(read);
        int length = 0;
        int count;
        do {
            count = (int) LIBRARY.orElseThrow()
                    .syscall(SystemCall.READ, descriptor, address + length, bytes.length + 1 - length);
            length += Math.max(count, 0);
        } while (count > 0 && length <= bytes.length);
        byte[] content = new byte[length];
        read.get(0, content);
        return count >= 0 && Arrays.equals(content, bytes);
    }
}
