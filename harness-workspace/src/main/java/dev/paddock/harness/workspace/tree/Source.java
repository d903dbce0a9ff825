package dev.paddock.harness.workspace.tree;

import java.io.IOException;
import java.util.Map;

/** Gives access to the visitor's current entry, only during the visitor's call. */
public interface Source {

    /** Opens a file to read; the reader closes it. */
    int open() throws IOException;

    /** Reads the {@code user.*} attributes of a file or directory. */
    Map<String, String> attributes() throws IOException;

    /** Reads the target of a link. */
    String target() throws IOException;
}
