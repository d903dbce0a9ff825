package dev.paddock.executor.worktree.git.index;

import java.nio.charset.StandardCharsets;

/**
 * The names that git takes from a tree on every platform: no part of a path may be one that Linux, HFS+ or NTFS takes
 * for {@code .git}, and no symbolic link may be {@code .gitmodules}. Git applies this rule to trees and to names that
 * are added to an index, but not to an index that it reads.
 */
public final class TreeNames {
    private static final byte[] GIT = {'g', 'i', 't'};
    private static final byte[] GIT_SHORT = {'g', 'i', 't', '~', '1'};
    private static final byte[] MODULES = {'g', 'i', 't', 'm', 'o', 'd', 'u', 'l', 'e', 's'};
    private static final byte[] MODULES_SHORT = {'g', 'i', 't', 'm', 'o', 'd', '~'};

    /** The start of a short name on NTFS, with a hash of the long name, once four others are taken. */
    private static final byte[] MODULES_HASHED = {'g', 'i', '7', 'e', 'b', 'a'};

    private static final int SHORT_NAME_LENGTH = 8;
    private static final int NO_CODE_POINT = -1;

    private TreeNames() {}

    /**
     * Returns whether git would take the path of a file or a link from a tree.
     *
     * @param path its bytes as ISO 8859-1
     */
    public static boolean isPath(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        return isPath(bytes, 0, bytes.length, true);
    }

    /**
     * Returns whether git would take a path from a tree.
     *
     * @param symbolicLink whether the path is a link's, and not a file's or a submodule's
     */
    static boolean isPath(byte[] bytes, int from, int to, boolean symbolicLink) {
        int start = from;
        for (int at = from; at < to; at++) {
            byte next = bytes[at];
            if (next == '/') {
                if (!isComponent(bytes, start, at, symbolicLink)) {
                    return false;
                }
                start = at + 1;
            } else if (next == 0) {
                return false;
            }
        }
        return isComponent(bytes, start, to, symbolicLink);
    }

    static boolean isComponent(byte[] bytes, int from, int to, boolean symbolicLink) {
        if (from == to || isDots(bytes, from, to)) {
            return false;
        }
        int start = from;
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\\') { // NTFS reads it as a separator
                if (isReserved(bytes, start, at, symbolicLink)) {
                    return false;
                }
                start = at + 1;
            }
        }
        return !isReserved(bytes, start, to, symbolicLink);
    }

    private static boolean isDots(byte[] bytes, int from, int to) {
        return bytes[from] == '.' && (to == from + 1 || (to == from + 2 && bytes[from + 1] == '.'));
    }

    private static boolean isReserved(byte[] bytes, int from, int to, boolean symbolicLink) {
        if (from == to) {
            return false;
        }
        byte first = bytes[from];
        if (first != '.' && first != 'g' && first != 'G' && first != '~' && first >= 0) {
            return false; // most names
        }
        return isGitOnNtfs(bytes, from, to)
                || isOnHfs(bytes, from, to, GIT)
                || (symbolicLink && (isModulesOnNtfs(bytes, from, to) || isOnHfs(bytes, from, to, MODULES)));
    }

    private static boolean isGitOnNtfs(byte[] bytes, int from, int to) {
        int end = bytes[from] == '.' ? after(bytes, from + 1, to, GIT) : after(bytes, from, to, GIT_SHORT);
        return end >= 0 && endsOnNtfs(bytes, end, to);
    }

    private static boolean isModulesOnNtfs(byte[] bytes, int from, int to) {
        int end;
        if (bytes[from] == '.') {
            end = after(bytes, from + 1, to, MODULES);
        } else {
            end = after(bytes, from, to, MODULES_SHORT);
            boolean numbered = end >= 0 && end < to && bytes[end] >= '1' && bytes[end] <= '4';
            end = numbered ? end + 1 : afterHashed(bytes, from, to);
        }
        return end >= 0 && endsOnNtfs(bytes, end, to);
    }

    /** Returns the end of a short name in which a tilde and a number replace the end of the hash. */
    private static int afterHashed(byte[] bytes, int from, int to) {
        int end = from + SHORT_NAME_LENGTH;
        if (to < end) {
            return -1;
        }
        int at = from;
        while (at < from + MODULES_HASHED.length && lower(bytes[at]) == MODULES_HASHED[at - from]) {
            at++;
        }
        if (bytes[at] != '~' || bytes[at + 1] < '1' || bytes[at + 1] > '9') {
            return -1;
        }
        for (at += 2; at < end; at++) {
            if (bytes[at] < '0' || bytes[at] > '9') {
                return -1;
            }
        }
        return end;
    }

    /** Returns whether NTFS ignores the rest of a name: spaces, dots, and the name of a stream. */
    private static boolean endsOnNtfs(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == ':') {
                return true;
            }
            if (bytes[at] != '.' && bytes[at] != ' ') {
                return false;
            }
        }
        return true;
    }

    /** Returns whether HFS+, which ignores invisible characters, reads a name as a dot and a word. */
    private static boolean isOnHfs(byte[] bytes, int from, int to, byte[] word) {
        int at = afterIgnored(bytes, from, to);
        if (at == to || bytes[at] != '.') {
            return false;
        }
        at++;
        for (byte letter : word) {
            at = afterIgnored(bytes, at, to);
            if (at == to || lower(bytes[at]) != letter) {
                return false;
            }
            at++;
        }
        return afterIgnored(bytes, at, to) == to;
    }

    private static int afterIgnored(byte[] bytes, int from, int to) {
        int at = from;
        while (at + 3 <= to && isIgnored(codePoint(bytes, at))) {
            at += 3;
        }
        return at;
    }

    /** Returns the code point that three bytes of UTF-8 encode; all ignored ones take three. */
    private static int codePoint(byte[] bytes, int at) {
        boolean three = (bytes[at] & 0xf0) == 0xe0 && (bytes[at + 1] & 0xc0) == 0x80 && (bytes[at + 2] & 0xc0) == 0x80;
        return three ? (bytes[at] & 0xf) << 12 | (bytes[at + 1] & 0x3f) << 6 | (bytes[at + 2] & 0x3f) : NO_CODE_POINT;
    }

    private static boolean isIgnored(int codePoint) {
        return (codePoint >= 0x200c && codePoint <= 0x200f)
                || (codePoint >= 0x202a && codePoint <= 0x202e)
                || (codePoint >= 0x206a && codePoint <= 0x206f)
                || codePoint == 0xfeff;
    }

    private static int after(byte[] bytes, int from, int to, byte[] word) {
        if (to - from < word.length) {
            return -1;
        }
        for (int at = 0; at < word.length; at++) {
            if (lower(bytes[from + at]) != word[at]) {
                return -1;
            }
        }
        return from + word.length;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
    }
}
