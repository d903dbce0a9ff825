package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Status;
import dev.paddock.harness.workspace.Omission;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Receives the entries of a tree, those of a directory sorted by their bytes, between {@link #enter} and
 * {@link #leave}; the root's name is empty.
 */
public interface TreeVisitor {

    /** Receives a directory, before its entries. */
    void enter(String name, Status status, Source source) throws IOException;

    /** Ends the directory entered last. */
    void leave() throws IOException;

    /** Receives a regular file. */
    void file(String name, Status status, Source source) throws IOException;

    /** Receives a symbolic link. */
    void link(String name, Status status, Source source) throws IOException;

    /** Receives an omitted entry. */
    void omit(Omission omission);

    /** Receives the objects of a repository that a detached one refers to. */
    void borrow(Path objects);
}
