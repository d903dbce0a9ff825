package dev.paddock.executor.worktree.git.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Verifies the extension UNTR: the untracked files of each directory. Git lists the directories that it names, and
 * takes the files that it names for untracked ones.
 */
final class UntrackedCache {
    private static final byte[] IDENTITY = "Location ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PATTERNS = ".gitignore".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GIT = ".git".getBytes(StandardCharsets.US_ASCII);
    private static final int STATISTICS_LENGTH = 36;
    private static final int DIRECTORY_FLAGS_LENGTH = 4;

    /** A path of 4095 bytes has no more directories; git reads them by recursion. */
    private static final int MAX_DEPTH = 2048;

    private final IndexInput input;
    private int directories;

    private UntrackedCache(IndexInput input) {
        this.input = input;
    }

    static void verify(IndexInput input, HashFormat format) throws MalformedIndexException {
        new UntrackedCache(input).verify(format);
    }

    private void verify(HashFormat format) throws MalformedIndexException {
        verifyIdentity();
        input.skip(2 * STATISTICS_LENGTH + DIRECTORY_FLAGS_LENGTH + 2 * format.length());
        int from = input.position();
        if (!Arrays.equals(input.bytes(), from, input.throughNul(), PATTERNS, 0, PATTERNS.length)) {
            throw new MalformedIndexException("its extension 'UNTR' has patterns from other files than '.gitignore'");
        }
        long count = input.variableNumber();
        if (count > 0) {
            readDirectories();
            if (count != directories) {
                throw input.malformed();
            }
            int valid = EwahBitmap.read(input, directories).cardinality();
            EwahBitmap.read(input, directories);
            int hashes = EwahBitmap.read(input, directories).cardinality();
            input.skip(Math.multiplyExact(valid, STATISTICS_LENGTH));
            input.skip(Math.multiplyExact(hashes, format.length()));
            input.requireNul(1);
        }
        input.requireEnd();
    }

    /** The identity is that of the worktree, for which alone git uses the cache. */
    private void verifyIdentity() throws MalformedIndexException {
        long length = input.variableNumber();
        IndexInput identity = input.part("its extension 'UNTR'", (int) Math.min(length, Integer.MAX_VALUE));
        int from = identity.position();
        int to = identity.throughNul();
        identity.requireEnd();
        if (to - from < IDENTITY.length
                || !Arrays.equals(input.bytes(), from, from + IDENTITY.length, IDENTITY, 0, IDENTITY.length)) {
            throw input.malformed();
        }
    }

    private void readDirectories() throws MalformedIndexException {
        int[] rest = new int[MAX_DEPTH + 1];
        rest[0] = 1;
        int depth = 0;
        while (depth >= 0) {
            if (rest[depth] == 0) {
                depth--;
                continue;
            }
            rest[depth]--;
            int children = readDirectory(depth == 0);
            if (depth == MAX_DEPTH) {
                throw input.malformed();
            }
            depth++;
            rest[depth] = children;
        }
    }

    /** Reads a directory, and returns how many of its directories follow. */
    private int readDirectory(boolean root) throws MalformedIndexException {
        directories++;
        int files = count();
        int children = count();
        int from = input.position();
        int to = input.throughNul();
        if (root ? from != to : !isName(from, to)) {
            throw misnamed(from, to);
        }
        for (int file = 0; file < files; file++) {
            int start = input.position();
            int end = input.throughNul();
            boolean directory = end > start && input.bytes()[end - 1] == '/';
            if (!isName(start, directory ? end - 1 : end)) {
                throw misnamed(start, end);
            }
        }
        return children;
    }

    private int count() throws MalformedIndexException {
        long count = input.variableNumber();
        if (count > input.remaining()) {
            throw input.malformed();
        }
        return (int) count;
    }

    /** Returns whether a directory that git reads may have an entry: {@code .git} is never listed. */
    private boolean isName(int from, int to) {
        byte[] bytes = input.bytes();
        for (int at = from; at < to; at++) {
            if (bytes[at] == '/') {
                return false;
            }
        }
        boolean dots = to - from <= 2 && bytes[from] == '.' && (to - from == 1 || bytes[to - 1] == '.');
        return from < to && !dots && !Arrays.equals(bytes, from, to, GIT, 0, GIT.length);
    }

    private MalformedIndexException misnamed(int from, int to) {
        return new MalformedIndexException("its extension 'UNTR' names "
                + MalformedIndexException.quoted(input.bytes(), from, to) + ", which is no name in a directory");
    }
}
