package dev.paddock.harness.store;

import dev.paddock.executor.path.FileOpener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
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
import java.util.regex.Pattern;

/**
 * Reads and removes the files in a session's directory by the names that Paddock gives them, and
 * follows no link: a session directory that came with a repository may contain links to other
 * files.
 */
final class SessionFiles {
    private static final Pattern LOG = Pattern.compile("[a-z]+(_[0-9]+)?-[0-9]+\\.log(\\.older)?");
    private static final List<String> OWN =
            List.of("workspace.json", "workspace.json.new", "note", "note.new", "messages.jsonl");

    private SessionFiles() {}

    /** Returns whether a path is a log: a regular file with the name of one. */
    static boolean isLog(Path file) {
        return LOG.matcher(String.valueOf(file.getFileName())).matches()
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    static String read(Path file) throws IOException {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    static byte[] bytes(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return in.readAllBytes();
        }
    }

    static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8));
    }

    private static InputStream open(Path file) throws IOException {
        return Channels.newInputStream(FileOpener.installed().open(file, StandardOpenOption.READ));
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
