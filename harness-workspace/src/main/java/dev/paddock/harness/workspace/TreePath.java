package dev.paddock.harness.workspace;

import dev.paddock.executor.path.PathBytes;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A path relative to the root of a tree. On Linux a name is arbitrary bytes; {@link String} and {@link Path#toString}
 * lose those that are invalid in an encoding.
 *
 * @param bytes the path as ISO 8859-1, each character one byte; empty for the root
 * @since 0.1
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
     * @return the path, with {@code \xHH} for each byte that is not printable UTF-8 text; {@code .}
     *     for the root
     */
    @Override
    public String toString() {
        return bytes.isEmpty() ? "." : PathBytes.escaped(bytes);
    }
}
