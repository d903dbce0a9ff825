package dev.paddock.executor.worktree.git.index;

import dev.paddock.executor.path.PathBytes;
import java.nio.charset.StandardCharsets;

/** An index that git would not have written. The message is a clause that names the value at fault. */
final class MalformedIndexException extends Exception {
    private static final long serialVersionUID = 1;

    /** The maximum length of a name in a message. */
    private static final int MAX_SHOWN = 200;

    MalformedIndexException(String clause) {
        super(clause, null, false, false);
    }

    /** Returns bytes for a message, in quotes. */
    static String quoted(byte[] bytes, int from, int to) {
        int shown = Math.min(to - from, MAX_SHOWN);
        String name = new String(bytes, from, shown, StandardCharsets.ISO_8859_1);
        return "'" + PathBytes.escaped(name) + (shown < to - from ? "..." : "") + "'";
    }
}
