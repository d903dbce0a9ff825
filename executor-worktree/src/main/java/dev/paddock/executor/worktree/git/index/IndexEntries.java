package dev.paddock.executor.worktree.git.index;

import dev.paddock.executor.path.PathBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The entries of an index in git's order, by the bytes of their names, then by their stages. */
final class IndexEntries {
    private static final int FILE = 0100644;
    private static final int PROGRAM = 0100755;
    private static final int LINK = 0120000;
    private static final int SUBMODULE = 0160000;
    private static final int SPARSE_DIRECTORY = 0040000;

    /** The kernel's limit for a path; git could not write a longer one. */
    private static final int MAX_NAME_LENGTH = 4095;

    /** Prefix-compressed names take more memory than their file. */
    private static final int MAX_NAMES_SIZE = 256 << 20;

    /** Bits of an entry's flags. */
    static final int ASSUME_UNCHANGED = 0x8000;

    static final int EXTENDED = 0x4000;
    static final int STAGE = 0x3000;
    static final int NAME_LENGTH = 0x0fff;

    /** Bits of an entry's further flags, which only some entries have. */
    static final int SKIP_WORKTREE = 0x4000_0000;

    static final int INTENT_TO_ADD = 0x2000_0000;

    private static final int HIDDEN = 1;
    private static final int IS_LINK = 2;

    private byte[] names;
    private final int[] ends;
    private final short[] flags;

    /** The first bytes of the hash of each entry. */
    private final long[] objects;

    private int count;
    private int nameless;
    private int lastMerged = -1;
    private boolean sparse;

    IndexEntries(int capacity, int namesSize) {
        this.names = new byte[Math.min(namesSize, MAX_NAMES_SIZE)];
        this.ends = new int[capacity];
        this.flags = new short[capacity];
        this.objects = new long[capacity];
    }

    /**
     * Adds an entry after all others.
     *
     * @param kept how many bytes it shares with the start of the previous entry's name
     * @param source has the rest of the name
     * @param flags as in the file, with the further ones in the upper half
     * @param object the first bytes of its hash
     */
    void add(int kept, byte[] source, int from, int to, int mode, int flags, long object)
            throws MalformedIndexException {
        int start = count == 0 ? 0 : ends[count - 1];
        int length = kept + to - from;
        if (length > MAX_NAME_LENGTH) {
            throw new MalformedIndexException(
                    "it has a name of " + length + " bytes, and git takes up to " + MAX_NAME_LENGTH);
        }
        reserve(start, length);
        System.arraycopy(names, start - lengthOfPrevious(), names, start, kept);
        System.arraycopy(source, from, names, start + kept, to - from);
        ends[count] = start + length;
        objects[count] = object;
        boolean hidden = (flags & (ASSUME_UNCHANGED | SKIP_WORKTREE)) != 0;
        this.flags[count] = (short) ((flags & STAGE) | (mode == LINK ? IS_LINK : 0) | (hidden ? HIDDEN : 0));
        if (length == 0) {
            addNameless(mode);
        } else {
            verify(start, length, mode, flags);
            count++;
        }
    }

    private void reserve(int start, int length) throws MalformedIndexException {
        if (start + (long) length > names.length) {
            if (start + (long) length > MAX_NAMES_SIZE) {
                throw new MalformedIndexException("its names take more than " + (MAX_NAMES_SIZE >> 20) + " MiB");
            }
            names = Arrays.copyOf(names, (int) Math.min(MAX_NAMES_SIZE, 2L * (start + length)));
        }
    }

    /** Adds an entry that replaces one of the shared index, under its name. */
    private void addNameless(int mode) throws MalformedIndexException {
        if (nameless != count) {
            throw new MalformedIndexException("it has an entry without a name after one with a name");
        }
        requireMode(mode, false);
        count++;
        nameless++;
    }

    private void verify(int start, int length, int mode, int flags) throws MalformedIndexException {
        int end = start + length;
        boolean directory = mode == SPARSE_DIRECTORY;
        int common = count == nameless ? 0 : compare(start, length);
        // The part that a name shares with the previous one, up to a slash, was verified there.
        int verified = mode == LINK ? start : startOfComponent(start, common);
        if (directory && names[end - 1] != '/') {
            throw fault("has the mode of a directory, and does not end in a slash");
        }
        if (!TreeNames.isPath(names, verified, directory ? end - 1 : end, mode == LINK)) {
            throw fault(
                    mode == LINK && TreeNames.isPath(names, start, end, false)
                            ? "is a symbolic link, and git reads no '.gitmodules' through a link"
                            : "names a file that no checkout may write");
        }
        requireMode(mode, directory && (flags & SKIP_WORKTREE) != 0 && stage(count) == 0);
        sparse |= directory;
        if (stage(count) == 0) {
            requireNoFileInPlaceOfDirectory(start, length);
            lastMerged = count;
        }
    }

    /** Returns the length of the common start of an entry's name and the previous one's. */
    private int compare(int start, int length) throws MalformedIndexException {
        int previous = start - lengthOfPrevious();
        int common = Arrays.mismatch(names, previous, start, names, start, start + length);
        if (common < 0) {
            int stage = stage(count - 1);
            if (stage == 0 || stage >= stage(count)) {
                throw fault("occurs twice");
            }
            return length;
        }
        boolean ascending = previous + common == start
                || (common < length
                        && Byte.toUnsignedInt(names[previous + common]) < Byte.toUnsignedInt(names[start + common]));
        if (!ascending) {
            throw fault("is not in git's order");
        }
        return common;
    }

    private int startOfComponent(int start, int common) {
        int at = start + common;
        while (at > start && names[at - 1] != '/') {
            at--;
        }
        return at;
    }

    /**
     * Requires that no file entry has the name of a directory of this one. Only the directory whose name ends where
     * this name and the last one begin to differ can be such a file: of a longer one there would be the last name in
     * between, and a shorter one was found at the last name.
     */
    private void requireNoFileInPlaceOfDirectory(int start, int length) throws MalformedIndexException {
        if (lastMerged < 0) {
            return;
        }
        int lastStart = start(lastMerged);
        int lastEnd = ends[lastMerged];
        int common = Arrays.mismatch(names, lastStart, lastEnd, names, start, start + length);
        boolean below = common > 0 && names[start + common - 1] == '/' && common == lastEnd - lastStart;
        boolean named = common > 0
                && common < length
                && names[start + common] == '/'
                && (common == lastEnd - lastStart || isMergedFile(start, common));
        if (below || named) {
            throw fault("lies below another entry that is no directory");
        }
    }

    private boolean isMergedFile(int from, int length) {
        int found = firstFrom(names, from, from + length, nameless, count);
        return found < count
                && stage(found) == 0
                && Arrays.equals(names, start(found), ends[found], names, from, from + length);
    }

    /** Returns the first entry in a range whose name is not before the given one; the range's end if none is. */
    int firstFrom(byte[] name, int from, int to, int low, int high) {
        int first = low;
        int last = high;
        while (first < last) {
            int middle = (first + last) >>> 1;
            if (Arrays.compareUnsigned(names, start(middle), ends[middle], name, from, to) < 0) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        return first;
    }

    boolean startsWith(int entry, byte[] prefix, int length) {
        int start = start(entry);
        return ends[entry] - start >= length && Arrays.equals(names, start, start + length, prefix, 0, length);
    }

    private void requireMode(int mode, boolean sparse) throws MalformedIndexException {
        boolean known = mode == FILE || mode == PROGRAM || mode == LINK || mode == SUBMODULE;
        if (!known && !(mode == SPARSE_DIRECTORY && sparse)) {
            throw fault("has the mode " + Integer.toOctalString(mode) + ", which git does not write there");
        }
    }

    private MalformedIndexException fault(String clause) {
        return new MalformedIndexException("its entry " + name(count) + " " + clause);
    }

    /** Returns these entries with those of a shared index that they replace or add to. */
    IndexEntries over(IndexEntries shared, BitSet deleted, BitSet replaced) throws MalformedIndexException {
        IndexEntries all = new IndexEntries(shared.count + count, shared.names.length);
        int replacement = 0;
        int own = nameless;
        for (int entry = 0; entry < shared.count; entry++) {
            if (deleted.get(entry)) {
                continue;
            }
            while (own < count && isBefore(own, shared, entry)) {
                all.copy(this, own, this, own);
                own++;
            }
            if (replaced.get(entry)) {
                all.copy(shared, entry, this, replacement);
                replacement++;
            } else {
                all.copy(shared, entry, shared, entry);
            }
        }
        for (; own < count; own++) {
            all.copy(this, own, this, own);
        }
        return all;
    }

    private boolean isBefore(int entry, IndexEntries other, int theirs) {
        int order = Arrays.compareUnsigned(
                names, start(entry), ends[entry], other.names, other.start(theirs), other.ends[theirs]);
        return order < 0 || (order == 0 && stage(entry) < other.stage(theirs));
    }

    private void copy(IndexEntries named, int name, IndexEntries flagged, int entry) throws MalformedIndexException {
        int bits = flagged.flags[entry];
        int mode = (bits & IS_LINK) != 0 ? LINK : FILE;
        int copied = (bits & STAGE) | ((bits & HIDDEN) != 0 ? SKIP_WORKTREE : 0);
        add(0, named.names, named.start(name), named.ends[name], mode, copied, flagged.objects[entry]);
    }

    /** Returns the names of the entries that git does not compare with the worktree, for a message. */
    Set<String> hidden() {
        Set<String> hidden = new LinkedHashSet<>();
        for (int entry = 0; entry < count; entry++) {
            if ((flags[entry] & HIDDEN) != 0) {
                String name = new String(names, start(entry), ends[entry] - start(entry), StandardCharsets.ISO_8859_1);
                hidden.add(isPlain(name) ? name : PathBytes.escaped(name));
            }
        }
        return hidden;
    }

    /** Returns the first bytes of the hashes of selected entries, by their names' bytes. */
    Map<String, Long> obeyed(ObeyedNames names) {
        Map<String, Long> obeyed = new HashMap<>();
        for (int entry = 0; entry < count; entry++) {
            int start = start(entry);
            if (names.cover(this.names, start, ends[entry])) {
                String name = new String(this.names, start, ends[entry] - start, StandardCharsets.ISO_8859_1);
                obeyed.put(name, objects[entry]);
            }
        }
        return obeyed;
    }

    /** Returns whether a name needs no escaping: escaping all names of a large index takes a second. */
    private static boolean isPlain(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (name.charAt(at) < ' ' || name.charAt(at) > '~' || name.charAt(at) == '\\') {
                return false;
            }
        }
        return true;
    }

    int count() {
        return count;
    }

    int nameless() {
        return nameless;
    }

    boolean hasSparseDirectory() {
        return sparse;
    }

    int lengthOfPrevious() {
        return count == 0 ? 0 : ends[count - 1] - start(count - 1);
    }

    private int stage(int entry) {
        return flags[entry] & STAGE;
    }

    private int start(int entry) {
        return entry == 0 ? 0 : ends[entry - 1];
    }

    private String name(int entry) {
        return MalformedIndexException.quoted(names, start(entry), ends[entry]);
    }
}
