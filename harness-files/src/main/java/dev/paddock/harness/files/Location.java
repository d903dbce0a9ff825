package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * A resolved path: an entry of an open directory, found without following a link that leads out. Owns the directory and
 * closes it.
 *
 * @param root the root it is in
 * @param resolved the path in the root with links resolved, up to the first component that does not exist
 * @param shown the path as shown to the model
 * @param parent the entry's directory; if parents are missing, the deepest that exists
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
                Reason.NOT_FOUND,
                shown,
                "no such file or directory: " + shown + ". Look with ls or find for what is there"));
    }

    /** Returns the path as the root shows it, with links resolved. */
    public String path() {
        return root.shown(resolved);
    }

    /** Returns the path on the host, with links resolved; to compare, never to open. */
    Path host() {
        return root.host(resolved);
    }

    /** Refuses the root itself where an entry of it is required. */
    void requireEntry(String remedy) {
        if (name.equals(".")) {
            String role = root.base() ? "the worktree itself" : "a granted directory itself";
            throw new FileException(Reason.NOT_A_FILE, shown, shown + " is " + role + ". " + remedy);
        }
    }

    public Directory openDirectory() throws IOException {
        if (!existing().isDirectory()) {
            throw new FileException(Reason.NOT_A_DIRECTORY, shown, shown + " is not a directory. Open it with read");
        }
        return parent.openDirectory(name);
    }

    /** Refuses anything but a regular file. To be called before an open, which may block at a FIFO. */
    void requireFile() {
        BasicFileAttributes found = existing();
        if (found.isDirectory()) {
            throw new FileException(Reason.NOT_A_FILE, shown, shown + " is a directory. List it with ls");
        }
        if (!found.isRegularFile()) {
            throw new FileException(
                    Reason.NOT_A_FILE,
                    shown,
                    shown + " is neither a file nor a directory but a pipe, a socket or a device, and is "
                            + "not opened");
        }
    }

    @Override
    public void close() throws IOException {
        parent.close();
    }
}
