package dev.paddock.executor.worktree.git.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Verifies that an index is one that git would have written: versions 2 to 4, complete, and with no name that git would
 * refuse in a tree. Git trusts an index that it reads; {@code git checkout .} writes each of its entries to the path
 * that the entry names, wherever that leads.
 */
public final class IndexVerifier {
    private static final int SIGNATURE = 0x44495243; // DIRC
    private static final int HEADER_LENGTH = 12;
    private static final int MODE_OFFSET = 24;
    private static final int STATISTICS_LENGTH = 40;
    private static final int PADDING = 8;
    private static final int FIRST_VERSION = 2;
    private static final int EXTENDED_VERSION = 3;
    private static final int COMPRESSED_VERSION = 4;

    private final byte[] index;
    private final HashFormat format;
    private final IndexInput input;
    private final int version;
    private final int[] positions;
    private final boolean[] whole;
    private final IndexEntries entries;

    private IndexVerifier(byte[] index, HashFormat format) throws MalformedIndexException {
        if (index.length < HEADER_LENGTH + format.length()) {
            throw new MalformedIndexException("it has " + index.length + " bytes, too few for an index");
        }
        this.index = index;
        this.format = format;
        this.input = IndexInput.of(index, index.length - format.length());
        if (input.signedInt() != SIGNATURE) {
            throw new MalformedIndexException("it does not begin as an index does");
        }
        this.version = input.signedInt();
        if (version < FIRST_VERSION || version > COMPRESSED_VERSION) {
            throw new MalformedIndexException(
                    "it has the version " + Integer.toUnsignedString(version) + ", and git knows 2 to 4");
        }
        verifyChecksum();
        long count = input.unsignedInt();
        if (count > input.remaining() / minimalEntry()) {
            throw new MalformedIndexException("it is too short for its " + count + " entries");
        }
        this.positions = new int[(int) count + 1];
        this.whole = new boolean[(int) count];
        this.entries = new IndexEntries((int) count, input.remaining());
    }

    /**
     * Verifies an index.
     *
     * @param index its bytes
     * @param format the repository's object format
     * @param sharedIndex returns the bytes of the shared index of a split one, by its checksum in hexadecimal; empty if
     *     it does not exist
     * @param obeyed selects entries to be listed in the result
     */
    public static IndexReading verify(
            byte[] index, HashFormat format, Function<String, Optional<byte[]>> sharedIndex, ObeyedNames obeyed) {
        try {
            IndexVerifier verifier = new IndexVerifier(index, format);
            verifier.readEntries();
            IndexExtensions extensions = verifier.readExtensions(false);
            IndexEntries all = verifier.entries;
            if (extensions.split().isPresent()) {
                SplitIndex split = extensions.split().get();
                all = split.merge(verifier.entries, base(split, format, sharedIndex));
            } else if (all.nameless() > 0) {
                throw new MalformedIndexException("it has an entry without a name");
            }
            extensions.verifyReferencesTo(all);
            return new IndexReading.Verified(all.hidden(), all.obeyed(obeyed));
        } catch (MalformedIndexException defect) {
            return new IndexReading.Refused(String.valueOf(defect.getMessage()));
        }
    }

    /** Verifies a shared index, on which split ones are based. Parameters as of {@link #verify}. */
    public static IndexReading verifyShared(byte[] index, HashFormat format) {
        try {
            readShared(index, format);
            return new IndexReading.Verified(Set.of());
        } catch (MalformedIndexException defect) {
            return new IndexReading.Refused(String.valueOf(defect.getMessage()));
        }
    }

    private static IndexVerifier readShared(byte[] index, HashFormat format) throws MalformedIndexException {
        IndexVerifier verifier = new IndexVerifier(index, format);
        verifier.readEntries();
        verifier.readExtensions(true);
        if (verifier.entries.nameless() > 0) {
            throw new MalformedIndexException("it has an entry without a name");
        }
        return verifier;
    }

    private static Optional<IndexEntries> base(
            SplitIndex split, HashFormat format, Function<String, Optional<byte[]>> sharedIndex)
            throws MalformedIndexException {
        if (split.checksum().isEmpty()) {
            return Optional.empty();
        }
        String name = split.checksum().get();
        Optional<byte[]> bytes = sharedIndex.apply(name);
        if (bytes.isEmpty()) {
            throw new MalformedIndexException("it is based on 'sharedindex." + name + "', which cannot be read");
        }
        try {
            IndexVerifier base = readShared(bytes.get(), format);
            if (!HexFormat.of().formatHex(base.checksum()).equals(name)) {
                throw new MalformedIndexException("it has another checksum");
            }
            return Optional.of(base.entries);
        } catch (MalformedIndexException defect) {
            throw new MalformedIndexException(
                    "it is based on 'sharedindex." + name + "', and of that: " + defect.getMessage());
        }
    }

    private int minimalEntry() {
        return STATISTICS_LENGTH + format.length() + Short.BYTES + (version == COMPRESSED_VERSION ? 2 : 1);
    }

    private byte[] checksum() {
        return Arrays.copyOfRange(index, index.length - format.length(), index.length);
    }

    /** The checksum is all zeroes where {@code index.skipHash} is set. */
    private void verifyChecksum() throws MalformedIndexException {
        byte[] checksum = checksum();
        MessageDigest digest = format.digest();
        digest.update(index, 0, index.length - format.length());
        if (!Arrays.equals(checksum, new byte[format.length()]) && !Arrays.equals(checksum, digest.digest())) {
            throw new MalformedIndexException("its checksum is wrong");
        }
    }

    private void readEntries() throws MalformedIndexException {
        for (int entry = 0; entry < whole.length; entry++) {
            readEntry(entry);
        }
        positions[whole.length] = input.position();
    }

    private void readEntry(int entry) throws MalformedIndexException {
        int start = input.position();
        positions[entry] = start;
        input.skip(MODE_OFFSET);
        int mode = input.signedInt();
        input.skip(STATISTICS_LENGTH - MODE_OFFSET - Integer.BYTES);
        long object = format.start(index, input.skip(format.length()));
        int flags = input.unsignedShort();
        if ((flags & IndexEntries.EXTENDED) != 0) {
            if (version < EXTENDED_VERSION) {
                throw new MalformedIndexException("it has further flags, which came only with version 3");
            }
            flags |= input.unsignedShort() << Short.SIZE;
            if ((flags >>> Short.SIZE << Short.SIZE & ~(IndexEntries.SKIP_WORKTREE | IndexEntries.INTENT_TO_ADD))
                    != 0) {
                throw new MalformedIndexException("it has flags that git does not know");
            }
        }
        whole[entry] = version < COMPRESSED_VERSION;
        int kept = version < COMPRESSED_VERSION ? 0 : keptOfPrevious(entry);
        int from = input.position();
        int to = input.throughNul();
        entries.add(kept, index, from, to, mode, flags, object);
        if ((flags & IndexEntries.NAME_LENGTH) != Math.min(kept + to - from, IndexEntries.NAME_LENGTH)) {
            throw new MalformedIndexException("its entry " + MalformedIndexException.quoted(index, from, to)
                    + " has another length than its flags tell");
        }
        if (version < COMPRESSED_VERSION) {
            int used = to - start;
            input.requireNul((used / PADDING + 1) * PADDING - used - 1);
        }
    }

    private int keptOfPrevious(int entry) throws MalformedIndexException {
        long dropped = input.variableNumber();
        int previous = entries.lengthOfPrevious();
        if (dropped > previous) {
            throw new MalformedIndexException("it has a name that takes more of the name before than that has");
        }
        whole[entry] = dropped == previous;
        return previous - (int) dropped;
    }

    private IndexExtensions readExtensions(boolean shared) throws MalformedIndexException {
        IndexExtensions extensions = new IndexExtensions(format, new EntryPositions(positions, whole));
        while (input.remaining() > 0) {
            String name = new String(index, input.skip(Integer.BYTES), Integer.BYTES, ISO_8859_1);
            extensions.read(name, input.part("its extension '" + name + "'", input.length()), shared);
        }
        if (entries.hasSparseDirectory() && !extensions.isSparse()) {
            throw new MalformedIndexException("it has an entry for a directory, and is no sparse index");
        }
        return extensions;
    }
}
