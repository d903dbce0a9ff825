package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * Holds the result of resolving a path: an entry of an open directory, found without following a
 * link that leads out. The location owns the directory and closes it.
 *
 * @param root the root it is in
 * @param resolved the path in the root with links resolved; components that do not exist yet are at
 *     its end
 * @param shown the path as shown to the model
 * @param parent the directory that holds the entry; if parents are missing, the deepest that exists
 * @param missing the parents that do not exist, outermost first
 * @param name the entry's name; {@code .} if the path leads to the root itself
 * @param attributes the entry's attributes; empty if it does not exist
 */
public record Location(
        GrantedDirectory root,
        List<String> resolved,
        String shown,
        Directory parent,
        List<String> missing,
        String name,
        Optional<BasicFileAttributes> attributes)
        implements AutoCloseable {

    public BasicFileAttributes existing() {
        return attributes.orElseThrow(() -> new FileException(
                shown, "no such file or directory: " + shown + ". Look with ls or find for what is there"));
    }

    /**
     * Returns the path in the root as text, components separated by {@code /}; empty for the root
     * itself.
     */
    public String relative() {
        return String.join("/", resolved);
    }

    /** Returns the path on the host, with links resolved; to compare, never to open. */
    Path host() {
        Path path = root.host();
        for (String part : resolved) {
            path = path.resolve(part);
        }
        return path;
    }

    public Directory openDirectory() throws IOException {
        if (!existing().isDirectory()) {
            throw new FileException(shown, "not a directory: " + shown);
        }
        return parent.openDirectory(name);
    }

    /**
     * Opens a regular file. Anything else is refused before it is opened: opening a FIFO would
     * block.
     */
    public SeekableByteChannel openFile() throws IOException {
        BasicFileAttributes before = existing();
        if (before.isDirectory()) {
            throw new FileException(shown, shown + " is a directory. List it with ls");
        }
        if (!before.isRegularFile()) {
            throw new FileException(
                    shown,
                    shown + " is neither a file nor a directory but a pipe, a socket or a device, and is "
                            + "not opened");
        }
        return parent.openFile(name);
    }

    @Override
    public void close() throws IOException {
        parent.close();
    }
}
