package dev.paddock.harness.workspace;

/**
 * An entry, or an attribute of one, that a copy or snapshot does not contain.
 *
 * @param path the entry
 * @param reason why
 * @since 0.1
 */
public record Omission(TreePath path, String reason) {
    @Override
    public String toString() {
        return path + ": " + reason;
    }
}
