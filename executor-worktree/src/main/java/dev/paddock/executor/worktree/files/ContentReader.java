package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.file.RegularFile;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads regular files that commands can replace at any moment: never follows a link or blocks on a pipe. */
final class ContentReader {
    /** Fits most compared files, which then take three system calls instead of the JDK's many. */
    private static final int SMALL = 16 << 10;

    private static final int AT_FDCWD = -100;

    /** {@code struct open_how}: flags, mode and the restrictions on path resolution. */
    private static final int HOW_SIZE = 24;

    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();

    /** {@code O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY}. */
    private static final long OPEN = (ARM ? 0x8000 : 0x20000) | 0x80000 | 0x800 | 0x100;

    /** {@code RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS}. */
    private static final long WITHOUT_LINKS = 0x02 | 0x04;

    private static final Optional<LibC> LIBRARY = LibC.isLinux() ? LibC.instance() : Optional.empty();

    @FunctionalInterface
    interface Sink {
        void add(byte[] bytes, int length);
    }

    private ContentReader() {}

    /**
     * Reads a file.
     *
     * @param file an absolute path
     * @param size its current size; at most one byte more is read
     */
    static void read(Path file, long size, Sink sink) throws IOException {
        if (size < SMALL && readAtOnce(file, (int) size + 1, sink)) {
            return;
        }
        try (InputStream input = Channels.newInputStream(RegularFile.open(file))) {
            byte[] block = new byte[1 << 16];
            long left = size + 1;
            int count = 0;
            while (left > 0 && count >= 0) {
                count = input.read(block, 0, (int) Math.min(left, block.length));
                sink.add(block, Math.max(count, 0));
                left -= count;
            }
        }
    }

    /**
     * Reads all of a small file.
     *
     * @param file an absolute path
     * @param size its current size
     * @return empty if it is large or has changed its size, and where {@link #read} takes several system calls
     */
    static Optional<byte[]> whole(Path file, long size) {
        List<byte[]> content = new ArrayList<>(1);
        boolean read = size < SMALL && readAtOnce(file, (int) size + 1, (bytes, length) -> content.add(bytes));
        return read && content.getFirst().length == size ? Optional.of(content.getFirst()) : Optional.empty();
    }

    /** Returns false if that is impossible: a link is on the path, or the kernel is too old. */
    private static boolean readAtOnce(Path file, int most, Sink sink) {
        byte[] path = PathBytes.of(file).getBytes(StandardCharsets.ISO_8859_1);
        if (LIBRARY.isEmpty() || path.length > CallBuffers.MAX_PATH) {
            return false;
        }
        long descriptor = open(path);
        if (descriptor < 0) {
            return false;
        }
        try {
            return read((int) descriptor, most, sink);
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

    private static boolean read(int descriptor, int most, Sink sink) {
        ByteBuffer read = Memory.allocate(most);
        long address = Memory.address(read);
        int length = 0;
        int count;
        do {
            count = (int) LIBRARY.orElseThrow().syscall(SystemCall.READ, descriptor, address + length, most - length);
            length += Math.max(count, 0);
        } while (count > 0 && length < most);
        if (count < 0) {
            return false;
        }
        byte[] content = new byte[length];
        read.get(0, content);
        sink.add(content, length);
        return true;
    }
}
