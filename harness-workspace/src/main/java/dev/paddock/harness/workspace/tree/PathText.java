package dev.paddock.harness.workspace.tree;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Returns the bytes of a path, which {@link Path#toString} loses if they are invalid. */
public final class PathText {
    private PathText() {}

    /**
     * Returns a path's bytes.
     *
     * @param path an absolute path
     * @return the bytes as ISO 8859-1
     */
    public static String of(Path path) {
        String escaped = path.toUri().getRawPath(); // a path's URI escapes its bytes
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < escaped.length(); at++) {
            if (escaped.charAt(at) == '%') {
                bytes.write(Integer.parseInt(escaped, at + 1, at + 3, 16));
                at += 2;
            } else {
                bytes.write(escaped.charAt(at));
            }
        }
        String all = bytes.toString(StandardCharsets.ISO_8859_1);
        return all.length() > 1 && all.endsWith("/") ? all.substring(0, all.length() - 1) : all;
    }
}
