package dev.paddock.executor.worktree.git.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The extensions of an index: the known ones, each at most once. */
final class IndexExtensions {
    private static final Set<String> OF_SHARED_INDEX = Set.of("IEOT", "EOIE");
    private static final Set<String> MODES = Set.of("0", "100644", "100755", "120000", "160000");
    private static final int STAGES = 3;
    private static final int MONITOR_VERSION_WITH_TIME = 1;
    private static final int MONITOR_VERSION_WITH_TOKEN = 2;

    /** The marks in the tokens of git's daemon and of Watchman. A hook gets the token as an argument. */
    private static final String TOKEN_MARKS = ":._-+/=@,";

    private final HashFormat format;
    private final EntryPositions positions;
    private final MessageDigest headers;
    private final Set<String> names = new HashSet<>();
    private @Nullable SplitIndex split;
    private @Nullable IndexInput tree;
    private @Nullable IndexInput monitor;

    IndexExtensions(HashFormat format, EntryPositions positions) {
        this.format = format;
        this.positions = positions;
        this.headers = format.digest();
    }

    void read(String name, IndexInput extension, boolean shared) throws MalformedIndexException {
        if (names.contains("EOIE")) {
            throw new MalformedIndexException("it has data after its extension 'EOIE', which must be the last");
        }
        if (!names.add(name)) {
            throw new MalformedIndexException("it has the extension '" + name + "' twice");
        }
        if (shared && !OF_SHARED_INDEX.contains(name)) {
            throw unknown(name);
        }
        if (!name.equals("EOIE")) {
            headers.update(name.getBytes(ISO_8859_1));
            headers.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, extension.remaining()));
        }
        switch (name) {
            case "TREE" -> tree = extension;
            case "REUC" -> verifyResolved(extension);
            case "link" -> split = SplitIndex.read(extension, format);
            case "UNTR" -> UntrackedCache.verify(extension, format);
            case "FSMN" -> monitor = extension;
            case "IEOT" -> positions.verifyTable(extension);
            case "EOIE" -> verifyEndOfEntries(extension);
            case "sdir" -> extension.requireEnd();
            default -> throw unknown(name);
        }
        if (names.contains("link") && names.contains("sdir")) {
            throw new MalformedIndexException("it is both a split and a sparse index");
        }
    }

    private static MalformedIndexException unknown(String name) {
        byte[] bytes = name.getBytes(ISO_8859_1);
        return new MalformedIndexException("it has the extension "
                + MalformedIndexException.quoted(bytes, 0, bytes.length) + ", which git does not write there");
    }

    boolean isSparse() {
        return names.contains("sdir");
    }

    Optional<SplitIndex> split() {
        return Optional.ofNullable(split);
    }

    /** Verifies the extensions that refer to entries by their positions. */
    void verifyReferencesTo(IndexEntries entries) throws MalformedIndexException {
        if (tree != null) {
            CacheTree.verify(tree, format, entries);
        }
        if (monitor != null) {
            verifyMonitor(monitor, entries.count());
        }
    }

    /** Verifies REUC, the resolved conflicts: each a path, three modes, and their objects. */
    private void verifyResolved(IndexInput input) throws MalformedIndexException {
        while (input.remaining() > 0) {
            int from = input.position();
            int to = input.throughNul();
            boolean link = false;
            int objects = 0;
            for (int stage = 0; stage < STAGES; stage++) {
                int start = input.position();
                String mode = new String(input.bytes(), start, input.throughNul() - start, ISO_8859_1);
                if (!MODES.contains(mode)) {
                    throw input.malformed();
                }
                link |= mode.equals("120000");
                objects += mode.equals("0") ? 0 : 1;
            }
            input.skip(objects * format.length());
            if (!TreeNames.isPath(input.bytes(), from, to, link)) {
                throw new MalformedIndexException("its extension 'REUC' has "
                        + MalformedIndexException.quoted(input.bytes(), from, to) + ", which no checkout may write");
            }
        }
    }

    /** Verifies FSMN, the entries that a file-system monitor has seen to change. */
    private static void verifyMonitor(IndexInput input, int entries) throws MalformedIndexException {
        int version = input.signedInt();
        if (version == MONITOR_VERSION_WITH_TIME) {
            input.signedLong();
        } else if (version == MONITOR_VERSION_WITH_TOKEN) {
            int from = input.position();
            int to = input.throughNul();
            if (!isToken(input.bytes(), from, to)) {
                throw new MalformedIndexException(
                        "its extension 'FSMN' has the token " + MalformedIndexException.quoted(input.bytes(), from, to)
                                + ", which no file system monitor writes");
            }
        } else {
            throw input.malformed();
        }
        IndexInput bitmap = input.part("its extension 'FSMN'", input.length());
        input.requireEnd();
        EwahBitmap.read(bitmap, entries);
        bitmap.requireEnd();
    }

    private static boolean isToken(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            char next = (char) Byte.toUnsignedInt(bytes[at]);
            boolean letter =
                    (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
            if (!letter && TOKEN_MARKS.indexOf(next) < 0) {
                return false;
            }
        }
        return from == to || bytes[from] != '-';
    }

    /** Verifies EOIE, the end of the entries, and a hash of the names and lengths of the other extensions. */
    private void verifyEndOfEntries(IndexInput input) throws MalformedIndexException {
        long end = input.unsignedInt();
        IndexInput hash = input.part("its extension 'EOIE'", format.length());
        input.requireEnd();
        boolean matches = Arrays.equals(
                hash.bytes(), hash.position(), hash.position() + format.length(), headers.digest(), 0, format.length());
        if (end != positions.end() || !matches) {
            throw input.malformed();
        }
    }
}
