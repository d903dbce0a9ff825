package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Performs file operations relative to an open directory. Names are single components; no operation follows a link, and
 * every operation acts on the opened directory, even if its path now leads elsewhere.
 */
public interface Directory extends AutoCloseable {

    /** Returns the attributes of an entry, for a link its own; empty if there is no such entry. */
    Optional<BasicFileAttributes> attributes(String name) throws IOException;

    /** Returns the directory's own attributes. */
    BasicFileAttributes attributes() throws IOException;

    /**
     * Opens a subdirectory. The caller must first check by its attributes that the entry is a
     * directory: where the C library cannot be called, opening a FIFO blocks.
     */
    Directory openDirectory(String name) throws IOException;

    /** Opens a regular file for reading. The caller must first check that it is not a FIFO, as above. */
    SeekableByteChannel openFile(String name) throws IOException;

    /** Opens a regular file to change its content. The caller must first check that it is not a FIFO, as above. */
    SeekableByteChannel openToChange(String name) throws IOException;

    /** Creates a new file, accessible to its owner only or with the default mode of new files. */
    SeekableByteChannel createFile(String name, boolean ownerOnly) throws IOException;

    /** Renames atomically and replaces an existing entry; if it is a link, the link itself. */
    void move(String from, Directory to, String name) throws IOException;

    void deleteFile(String name) throws IOException;

    /** Deletes an empty directory. */
    void deleteDirectory(String name) throws IOException;

    /** Copies the mode of another file to an entry, where the platform has modes. */
    void copyMode(PosixFileAttributes from, String name) throws IOException;

    /** Copies the owner and group of another file to an entry. */
    void copyOwner(PosixFileAttributes from, String name) throws IOException;

    /** Passes on the names of the entries, unsorted, without {@code .} and {@code ..}. */
    void list(Consumer<String> names) throws IOException;

    /**
     * Waits for every change of the entries that has begun. The kernel decrements a file's link count a moment before a
     * removed or replaced name stops leading to the file.
     */
    void awaitChanges() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens a directory by its path, following links. */
    static Directory open(Path path) throws IOException {
        Optional<Directory> secure = SecureDirectory.open(path);
        return secure.isPresent() ? secure.get() : CheckedDirectory.open(path);
    }
}
