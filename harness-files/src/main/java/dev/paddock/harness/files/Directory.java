package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * An open directory. Names are single components; no operation follows a link, and every operation acts on the directory
 * that was opened, wherever its path leads by now.
 */
public interface Directory extends AutoCloseable {

    /** What stands under a name, links as themselves; empty if nothing does. */
    Optional<BasicFileAttributes> attributes(String name) throws IOException;

    /** The directory's own attributes. */
    BasicFileAttributes attributes() throws IOException;

    /**
     * Opens a directory in this one. What is not a directory must be sorted out beforehand by its attributes: opening a
     * FIFO would block.
     */
    Directory openDirectory(String name) throws IOException;

    /** Opens a file for reading. The same holds for FIFOs. */
    SeekableByteChannel openFile(String name) throws IOException;

    /** Creates a file that must not exist. Private to its owner, or with the mode that new files have. */
    SeekableByteChannel createFile(String name, boolean ownerOnly) throws IOException;

    /** Renames atomically and replaces what stands there: a link itself, never its target. */
    void move(String from, Directory to, String name) throws IOException;

    void deleteFile(String name) throws IOException;

    /** Deletes an empty directory. */
    void deleteDirectory(String name) throws IOException;

    /** Gives an entry the mode of another file, where the platform has modes. */
    void copyMode(PosixFileAttributes from, String name) throws IOException;

    /** Gives an entry the owner and group of another file. */
    void copyOwner(PosixFileAttributes from, String name) throws IOException;

    /** The names in it, unsorted, {@code .} and {@code ..} left out. */
    List<String> list() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens a directory by its path; links on the way to it are followed. */
    static Directory open(Path path) throws IOException {
        Optional<Directory> secure = SecureDirectory.open(path);
        return secure.isPresent() ? secure.get() : CheckedDirectory.open(path);
    }
}
