package dev.paddock.executor.worktree.git.index;

/**
 * The offsets of the entries in an index. With the extensions EOIE and IEOT, several git threads read them without the
 * preceding bytes: at wrong offsets git would read wrong entries.
 */
final class EntryPositions {
    private static final int VERSION = 1;

    private final int[] starts;
    private final boolean[] whole;

    /**
     * Creates positions.
     *
     * @param starts of each entry, and of what follows the last one
     * @param whole whether an entry's name is based on no other
     */
    EntryPositions(int[] starts, boolean[] whole) {
        this.starts = starts;
        this.whole = whole;
    }

    int end() {
        return starts[whole.length];
    }

    /** Verifies the extension IEOT: blocks of entries. */
    void verifyTable(IndexInput table) throws MalformedIndexException {
        if (table.signedInt() != VERSION) {
            throw table.malformed();
        }
        long entry = 0;
        while (table.remaining() > 0) {
            long start = table.unsignedInt();
            long count = table.unsignedInt();
            boolean known = entry < whole.length && start == starts[(int) entry] && whole[(int) entry];
            if (!known || count == 0 || count > whole.length - entry) {
                throw table.malformed();
            }
            entry += count;
        }
        if (entry != whole.length) {
            throw table.malformed();
        }
    }
}
