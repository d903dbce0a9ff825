package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Status;
import dev.paddock.harness.workspace.tree.FileMetadata;
import java.util.List;
import java.util.Map;

/**
 * An entry of a snapshot.
 *
 * @param name its bytes as ISO 8859-1; empty for the root
 * @param size of a file, in bytes
 * @param changed the change time at which the content was read; 0 if unreliable
 * @param inode 0 if unreliable
 * @param linked whether further names of the snapshot with this inode are the same file
 * @param hash of a file's content
 * @param target of a link
 * @param children of a directory, sorted by their names
 */
record Node(
        String name,
        FileMetadata metadata,
        long size,
        long changed,
        long inode,
        boolean linked,
        Hash hash,
        String target,
        List<Node> children) {

    static Node of(String name, Status status, long device, Map<String, String> attributes) {
        return new Node(
                name,
                new FileMetadata(status.mode(), status.owner(), status.group(), status.modified(), attributes),
                status.isFile() ? status.size() : 0,
                status.device() == device ? status.changed() : 0,
                status.device() == device ? status.inode() : 0,
                status.isFile() && status.links() > 1 && status.device() == device,
                Hash.NONE,
                "",
                List.of());
    }

    Node withHash(Hash content) {
        return new Node(name, metadata, size, changed, inode, linked, content, target, children);
    }

    Node withTarget(String linkTarget) {
        return new Node(name, metadata, size, changed, inode, linked, hash, linkTarget, children);
    }

    Node withChildren(List<Node> entries) {
        return new Node(name, metadata, size, changed, inode, linked, hash, target, entries);
    }

    /** Returns whether the entry is unchanged: no program can set a change time. */
    boolean isStill(Status status, long device) {
        return inode != 0
                && inode == status.inode()
                && changed == status.changed()
                && device == status.device()
                && metadata.modified() == status.modified()
                && metadata.mode() == status.mode()
                && metadata.owner() == status.owner()
                && metadata.group() == status.group()
                && (!status.isFile() || size == status.size());
    }

    boolean isFile() {
        return (metadata.mode() & 0170000) == 0100000;
    }

    boolean isDirectory() {
        return (metadata.mode() & 0170000) == 0040000;
    }

    boolean isLink() {
        return (metadata.mode() & 0170000) == 0120000;
    }
}
