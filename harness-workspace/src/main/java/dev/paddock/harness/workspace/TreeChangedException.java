package dev.paddock.harness.workspace;

import java.io.Serial;

/**
 * Reports that a tree changed while it was read. Nothing of the copy or snapshot is kept. Repeat the call when the
 * program that writes to the tree has finished.
 *
 * @since 0.1
 */
public final class TreeChangedException extends TreeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param path an entry that has changed
     */
    public TreeChangedException(TreePath path) {
        super(path, "it changed while the tree was read; end the programs that write to the tree and try again");
    }
}
