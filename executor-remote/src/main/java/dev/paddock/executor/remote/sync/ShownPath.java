package dev.paddock.executor.remote.sync;

import dev.paddock.executor.path.PathBytes;
import java.nio.file.Path;

/** Writes paths for messages; commands choose their length. */
final class ShownPath {
    private static final int MAX = 200;
    private static final int SHOWN_END = 80;

    private ShownPath() {}

    /** Returns a path, each character one byte, for a message; truncates the middle of a long one. */
    static String of(String path) {
        String shown = PathBytes.escaped(path);
        return shown.length() <= MAX
                ? shown
                : shown.substring(0, MAX - SHOWN_END) + "\u2026" + shown.substring(shown.length() - SHOWN_END);
    }

    static String of(Path path) {
        return of(PathBytes.of(path));
    }
}
