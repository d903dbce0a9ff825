package dev.paddock.harness.store;

import dev.paddock.executor.path.FileOpener;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads and removes the files in a session's directory by the names that Paddock gives them, and follows no link: a
 * session directory from a repository may contain links to other files.
 */
final class SessionFiles {
    private static final Pattern LOG = Pattern.compile("[a-z]+(_[0-9]+)?-[0-9]+\\.log(\\.older)?");

    /** A directory from a repository may contain files of any size. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    private static final int MAX_MESSAGES_BYTES = 1 << 30;
    private static final int MAX_LINE_BYTES = 16 << 20;

    private static final List<String> OWN =
            List.of("workspace.json", "workspace.json.new", "note", "note.new", "messages.jsonl");

    private SessionFiles() {}

    /** Returns whether a path is a log: a regular file with a log's name. */
    static boolean isLog(Path file) {
        return LOG.matcher(String.valueOf(file.getFileName())).matches()
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads a note or a reference. */
    static String read(Path file) throws IOException {
        try (FileChannel open = open(file)) {
            return new String(bytes(open, MAX_TEXT_BYTES), StandardCharsets.UTF_8);
        }
    }

    static byte[] messages(Path file) throws IOException {
        try (FileChannel open = open(file)) {
            return bytes(open, MAX_MESSAGES_BYTES);
        }
    }

    /** Returns the first line of a file; empty if it has no newline, or is longer than any message. */
    static Optional<String> firstLine(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Channels.newInputStream(open(file)))) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int next = in.read();
            while (next >= 0 && next != '\n' && line.size() < MAX_LINE_BYTES) {
                line.write(next);
                next = in.read();
            }
            return next == '\n' ? Optional.of(line.toString(StandardCharsets.UTF_8)) : Optional.empty();
        }
    }

    /**
     * Reads an open file from its position.
     *
     * @throws IOException if more than {@code most} bytes follow
     */
    private static byte[] bytes(FileChannel open, int most) throws IOException {
        requireSize(open, most);
        byte[] read = Channels.newInputStream(open).readNBytes(most);
        requireSize(open, most); // it may have become larger
        return read;
    }

    static void requireSize(FileChannel open) throws IOException {
        requireSize(open, MAX_MESSAGES_BYTES);
    }

    private static void requireSize(FileChannel open, int most) throws IOException {
        if (open.size() > most) {
            throw new IOException("it has " + open.size() + " bytes, more than the " + most + " of a session's file");
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileOpener.installed().open(file, StandardOpenOption.READ);
    }

    /**
     * Removes a session's files, relative to open descriptors.
     *
     * @return whether nothing else is in the directory
     */
    static boolean removeFrom(Path directory) throws IOException {
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
            if (!(opened instanceof SecureDirectoryStream<Path> own)) {
                throw new FileSystemException(
                        directory.toString(),
                        null,
                        "this platform cannot remove the files without following links; remove the directory yourself");
            }
            if (has(directory, "logs")) {
                removeLogs(own);
            }
            for (String name : OWN) {
                delete(own, Path.of(name));
            }
        }
        try (DirectoryStream<Path> rest = Files.newDirectoryStream(directory)) {
            return !rest.iterator().hasNext();
        }
    }

    private static boolean has(Path directory, String name) {
        return Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    private static void removeLogs(SecureDirectoryStream<Path> directory) throws IOException {
        Path name = Path.of("logs");
        if (!kind(directory, name).isDirectory()) {
            return;
        }
        try (SecureDirectoryStream<Path> logs = directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            List<Path> found = new ArrayList<>();
            logs.forEach(log -> found.add(log.getFileName()));
            for (Path log : found) {
                if (LOG.matcher(log.toString()).matches()) {
                    delete(logs, log);
                }
            }
        }
        try {
            directory.deleteDirectory(name);
        } catch (DirectoryNotEmptyException kept) {
            return; // other files are in it
        }
    }

    private static BasicFileAttributes kind(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static void delete(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        try {
            directory.deleteFile(name);
        } catch (NoSuchFileException gone) {
            return;
        }
    }
}
