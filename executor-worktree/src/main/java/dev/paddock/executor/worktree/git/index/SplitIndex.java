package dev.paddock.executor.worktree.git.index;

import java.util.BitSet;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The extension of a split index, which has only the differences from a shared one.
 *
 * @param checksum of the shared index, in hexadecimal; empty if there is none
 * @param deleted the positions of the deleted shared entries
 * @param replaced the positions of those that the entries without a name replace
 */
record SplitIndex(Optional<String> checksum, BitSet deleted, BitSet replaced) {
    /** A larger index is not read: an entry takes more than 62 bytes. */
    private static final int MAX_POSITION = (256 << 20) / 62;

    static SplitIndex read(IndexInput input, HashFormat format) throws MalformedIndexException {
        int from = input.skip(format.length());
        String checksum = HexFormat.of().formatHex(input.bytes(), from, input.position());
        boolean based = checksum.chars().anyMatch(digit -> digit != '0');
        if (!based && input.remaining() == 0) {
            return new SplitIndex(Optional.empty(), new BitSet(), new BitSet());
        }
        BitSet deleted = EwahBitmap.read(input, MAX_POSITION);
        BitSet replaced = EwahBitmap.read(input, MAX_POSITION);
        input.requireEnd();
        return new SplitIndex(based ? Optional.of(checksum) : Optional.empty(), deleted, replaced);
    }

    IndexEntries merge(IndexEntries own, Optional<IndexEntries> shared) throws MalformedIndexException {
        int count = shared.map(IndexEntries::count).orElse(0);
        if (deleted.length() > count
                || replaced.length() > count
                || deleted.intersects(replaced)
                || replaced.cardinality() != own.nameless()) {
            throw new MalformedIndexException("its extension 'link' does not fit the shared index");
        }
        return shared.isEmpty() ? own : own.over(shared.get(), deleted, replaced);
    }
}
