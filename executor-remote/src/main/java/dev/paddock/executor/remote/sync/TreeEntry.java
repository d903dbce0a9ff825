package dev.paddock.executor.remote.sync;

/**
 * One file, link or directory of a tree, as {@code lstat} describes it.
 *
 * @param kind the type
 * @param mode the permissions, {@code 0} to {@code 0777}: set-id bits are not copied
 * @param size in bytes
 * @param inode on its own file system
 * @param modified the modification time in nanoseconds since 1970
 * @param changed the change time in nanoseconds since 1970
 * @param data how many of the bytes the file system has stored; the rest is in holes
 */
record TreeEntry(Kind kind, int mode, long size, long inode, long modified, long changed, long data) {
    private static final int PERMISSIONS = 0777;
    private static final int TYPE = 0170000;
    private static final long BLOCK = 512;

    /** The types that the synchronization distinguishes. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /** A device, pipe or socket, which is not copied. */
        SPECIAL
    }

    static TreeEntry of(int rawMode, long size, long inode, long modified, long changed) {
        Kind kind = switch (rawMode & TYPE) {
            case 0100000 -> Kind.FILE;
            case 0040000 -> Kind.DIRECTORY;
            case 0120000 -> Kind.LINK;
            default -> Kind.SPECIAL;
        };
        return new TreeEntry(kind, rawMode & PERMISSIONS, size, inode, modified, changed);
    }

    /** Creates an entry without holes. */
    TreeEntry(Kind kind, int mode, long size, long inode, long modified, long changed) {
        this(kind, mode, size, inode, modified, changed, size);
    }

    /** Returns the entry with the data of a number of blocks. */
    TreeEntry withBlocks(long blocks) {
        long stored = blocks < 0 || blocks > size / BLOCK ? size : blocks * BLOCK;
        return new TreeEntry(kind, mode, size, inode, modified, changed, stored);
    }

    boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }

    /** Returns whether an archive transfers the entry's content: a file's or a link's. */
    boolean hasContent() {
        return kind == Kind.FILE || kind == Kind.LINK;
    }

    /**
     * Returns whether nothing has changed between two observations of one path. Ignores a directory's own times, which
     * follow from its entries, and the stored bytes, which change when a file system writes data.
     */
    boolean isUnchangedSince(TreeEntry earlier) {
        return isDirectory() ? earlier.isDirectory() && mode == earlier.mode : equals(earlier.withData(data));
    }

    private TreeEntry withData(long stored) {
        return new TreeEntry(kind, mode, size, inode, modified, changed, stored);
    }

    /**
     * Returns whether a later change could leave the entry unchanged, since it was observed within one tick of its file
     * system's clock.
     *
     * @param now the clock at the observation
     * @param tick the clock's resolution; all times in nanoseconds
     */
    boolean isUncertain(long now, long tick) {
        return kind == Kind.FILE && now - modified < tick && now - changed < tick;
    }
}
