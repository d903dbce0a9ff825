package dev.paddock.executor.worktree.git.index;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Verifies the extension TREE: the trees of the directories, each with the count of its entries. Git takes so many
 * entries without comparing their names.
 */
final class CacheTree {
    private static final int MAX_PATH_LENGTH = 4095;
    private static final int MAX_DIGITS = 9;
    private static final int INVALID = -1;

    private final IndexInput input;
    private final HashFormat format;
    private final IndexEntries entries;
    private final byte[] path = new byte[MAX_PATH_LENGTH + 1];
    private final Deque<Level> levels = new ArrayDeque<>();

    /** A directory whose subdirectories are being read. */
    private static final class Level {
        private final int length;
        private final int low;
        private final int high;
        private int rest;
        private int lastFrom;
        private int lastTo;

        Level(int length, int low, int high, int rest) {
            this.length = length;
            this.low = low;
            this.high = high;
            this.rest = rest;
        }
    }

    private CacheTree(IndexInput input, HashFormat format, IndexEntries entries) {
        this.input = input;
        this.format = format;
        this.entries = entries;
    }

    static void verify(IndexInput input, HashFormat format, IndexEntries entries) throws MalformedIndexException {
        new CacheTree(input, format, entries).verify();
    }

    private void verify() throws MalformedIndexException {
        if (input.unsignedByte() != 0) { // the root has no name
            throw input.malformed();
        }
        readDirectory(0, 0, entries.count());
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (level.rest == 0) {
                levels.pop();
            } else {
                level.rest--;
                readChild(level);
            }
        }
        input.requireEnd();
    }

    private void readChild(Level parent) throws MalformedIndexException {
        byte[] bytes = input.bytes();
        int from = input.position();
        int to = input.throughNul();
        int length = parent.length + to - from + 1;
        if (length > MAX_PATH_LENGTH
                || !isComponent(bytes, from, to)
                || (parent.lastTo > 0 && !isAfter(bytes, parent.lastFrom, parent.lastTo, from, to))) {
            throw new MalformedIndexException("its extension 'TREE' names the directory "
                    + MalformedIndexException.quoted(bytes, from, to) + ", which git would not");
        }
        parent.lastFrom = from;
        parent.lastTo = to;
        System.arraycopy(bytes, from, path, parent.length, to - from);
        path[length - 1] = '/';
        readDirectory(length, entries.firstFrom(path, 0, length, parent.low, parent.high), parent.high);
    }

    private static boolean isComponent(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '/') {
                return false;
            }
        }
        return TreeNames.isComponent(bytes, from, to, false);
    }

    /** Returns whether a name sorts after another in git's order: first by length. */
    private static boolean isAfter(byte[] bytes, int from, int to, int nextFrom, int nextTo) {
        int difference = (nextTo - nextFrom) - (to - from);
        return difference > 0
                || (difference == 0 && Arrays.compareUnsigned(bytes, from, to, bytes, nextFrom, nextTo) < 0);
    }

    private void readDirectory(int length, int low, int high) throws MalformedIndexException {
        int count = number(' ');
        int children = number('\n');
        if (children < 0 || children > input.remaining()) {
            throw input.malformed();
        }
        int end = high;
        if (count != INVALID) {
            input.skip(format.length());
            end = low + count;
            if (count > high - low
                    || !contains(low, end, length)
                    || (end < high && entries.startsWith(end, path, length))) {
                throw new MalformedIndexException("its extension 'TREE' counts other entries in the directory "
                        + MalformedIndexException.quoted(path, 0, length) + " than there are");
            }
        }
        levels.push(new Level(length, low, end, children));
    }

    private boolean contains(int low, int end, int length) {
        return low == end || (entries.startsWith(low, path, length) && entries.startsWith(end - 1, path, length));
    }

    private int number(char delimiter) throws MalformedIndexException {
        int first = input.unsignedByte();
        boolean negative = first == '-';
        int next = negative ? input.unsignedByte() : first;
        int number = 0;
        int digits = 0;
        while (next >= '0' && next <= '9' && digits < MAX_DIGITS) {
            number = number * 10 + next - '0';
            digits++;
            next = input.unsignedByte();
        }
        if (digits == 0 || next != delimiter || (negative && number != 1)) {
            throw input.malformed();
        }
        return negative ? INVALID : number;
    }
}
