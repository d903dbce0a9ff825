package dev.paddock.harness.workspace;

import java.io.IOException;
import java.io.Serial;

/**
 * Reports an entry of a tree that could not be read or written, and why.
 *
 * @since 0.1
 */
public class TreeException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient TreePath path;

    /**
     * Creates an exception.
     *
     * @param path the entry
     * @param reason what happened to it, and the remedy
     */
    public TreeException(TreePath path, String reason) {
        super(path + ": " + reason);
        this.path = path;
    }

    /** {@return the entry's path in the tree} */
    public TreePath path() {
        return path;
    }
}
