package dev.paddock.harness.workspace;

import dev.paddock.executor.process.path.PathBytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A path relative to the root of a tree. A name on Linux is any bytes, and {@link String} and
 * {@link Path#toString} lose those that are invalid in an encoding.
 *
 * @param bytes the path as ISO 8859-1, each character one byte; empty for the root
 */
public record TreePath(String bytes) implements Comparable<TreePath> {

    /** The root of the tree. */
    public static final TreePath ROOT = new TreePath("");

    /**
     * Returns the path of an entry of this directory.
     *
     * @param name the entry's name as ISO 8859-1
     * @return the path
     */
    public TreePath child(String name) {
        return new TreePath(bytes.isEmpty() ? name : bytes + "/" + name);
    }

    /**
     * Returns the file's path on the host.
     *
     * @param root the tree's directory
     * @return the path with exactly these bytes
     */
    public Path under(Path root) {
        return root.resolve(PathBytes.path(bytes)
                .orElseThrow(() -> new InvalidPathException(toString(), "a path cannot contain NUL")));
    }

    @Override
    public int compareTo(TreePath other) {
        return bytes.compareTo(other.bytes);
    }

    /**
     * Returns the path for people.
     *
     * @return UTF-8 text, or the path with {@code \xHH} for each byte that is not printable ASCII;
     *     {@code .} for the root
     */
    @Override
    public String toString() {
        if (bytes.isEmpty()) {
            return ".";
        }
        byte[] raw = bytes.getBytes(StandardCharsets.ISO_8859_1);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(raw))
                    .toString();
            if (text.codePoints().allMatch(TreePath::isPrintable)) {
                return text;
            }
        } catch (CharacterCodingException notUtf8) {
            return escaped(raw);
        }
        return escaped(raw);
    }

    private static String escaped(byte[] raw) {
        StringBuilder shown = new StringBuilder();
        for (byte one : raw) {
            if (one >= ' ' && one < 0x7f && one != '\\') {
                shown.append((char) one);
            } else {
                shown.append(String.format("\\x%02x", one & 0xff));
            }
        }
        return shown.toString();
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
