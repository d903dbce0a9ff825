package dev.paddock.executor.sandbox.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.sandbox.worktree.files.SmallFile;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads from an index which files it hides: git does not show changes of an entry with the flag
 * skip-worktree or assume-unchanged. Reads versions 2 to 4 of the format, and a split index's own
 * entries, but not those of its {@code sharedindex} file.
 */
public final class IndexFlags {
    private static final int LARGEST = 256 << 20;
    private static final int SIGNATURE = 0x44495243; // DIRC
    private static final int STATISTICS = 40;
    private static final int ASSUME_UNCHANGED = 0x8000;
    private static final int EXTENDED = 0x4000;
    private static final int SKIP_WORKTREE = 0x4000;
    private static final int NAME_LENGTH = 0xfff;

    /** An entry of a split index that replaces one of the shared index has no name of its own. */
    private static final String REPLACED = "(an entry of the shared index)";

    private final ByteBuffer index;
    private final int version;
    private final int objectName;
    private final Set<String> hidden = new TreeSet<>();

    private IndexFlags(ByteBuffer index, int version, int objectName) {
        this.index = index;
        this.version = version;
        this.objectName = objectName;
    }

    /**
     * Returns the names that an index hides.
     *
     * @param index the file
     * @param isSha256 whether the repository's object format is SHA-256, not SHA-1
     * @return the names, for messages; empty if the index is absent, damaged, larger than 256 MiB
     *     or of an unknown version
     */
    public static Optional<Set<String>> hidden(Path index, boolean isSha256) {
        Optional<String> content = SmallFile.read(index, LARGEST);
        if (content.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(content.get().getBytes(StandardCharsets.ISO_8859_1));
        try {
            if (bytes.getInt() != SIGNATURE) {
                return Optional.empty();
            }
            int version = bytes.getInt();
            return version < 2 || version > 4
                    ? Optional.empty()
                    : Optional.of(new IndexFlags(bytes, version, isSha256 ? 32 : 20).read());
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException damaged) {
            return Optional.empty();
        }
    }

    private Set<String> read() {
        long entries = Integer.toUnsignedLong(index.getInt());
        byte[] previous = new byte[0];
        for (long entry = 0; entry < entries; entry++) {
            int start = index.position();
            index.position(start + STATISTICS + objectName);
            int flags = Short.toUnsignedInt(index.getShort());
            int extended = (flags & EXTENDED) == 0 ? 0 : Short.toUnsignedInt(index.getShort());
            previous = version == 4 ? compressedName(previous) : name(start, flags & NAME_LENGTH);
            if ((flags & ASSUME_UNCHANGED) != 0 || (extended & SKIP_WORKTREE) != 0) {
                hidden.add(
                        previous.length == 0
                                ? REPLACED
                                : PathBytes.escaped(new String(previous, StandardCharsets.ISO_8859_1)));
            }
        }
        return Set.copyOf(hidden);
    }

    /** Reads a name that NULs fill up to a multiple of eight bytes; at least one. */
    private byte[] name(int start, int length) {
        byte[] name = length < NAME_LENGTH ? new byte[length] : new byte[lengthToNul()];
        index.get(name);
        int used = index.position() - start;
        index.position(start + (used / 8 + 1) * 8);
        return name;
    }

    /** Reads a name that shares its start with the previous one: how much to drop, and the rest. */
    private byte[] compressedName(byte[] previous) {
        int kept = previous.length - variableNumber();
        byte[] rest = new byte[lengthToNul()];
        index.get(rest).get();
        ByteBuffer name = ByteBuffer.allocate(kept + rest.length);
        return name.put(previous, 0, kept).put(rest).array();
    }

    private int lengthToNul() {
        int end = index.position();
        while (end < index.limit() && index.get(end) != 0) {
            end++;
        }
        return end - index.position();
    }

    /** Reads a number in the encoding of offsets in packs. */
    private int variableNumber() {
        int next = Byte.toUnsignedInt(index.get());
        int number = next & 0x7f;
        while ((next & 0x80) != 0) {
            next = Byte.toUnsignedInt(index.get());
            number = ((number + 1) << 7) | (next & 0x7f);
        }
        return number;
    }
}
