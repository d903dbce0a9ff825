package dev.paddock.harness.store;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Manages the directory of a session's messages and logs: {@code messages.jsonl}, {@code logs/}, {@code workspace.json}
 * with the reference of its workspace, if it has one, and {@code note} with the program's note. Only its owner has
 * access, and no directory that a command can write contains it.
 *
 * @param path the directory
 */
public record SessionDirectory(Path path) {
    private static final Logger LOG = LateLogger.of(SessionDirectory.class);
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** Returns a given directory; creates it if it does not exist. */
    public static SessionDirectory at(Path path) {
        try {
            Files.createDirectories(path, ownerOnly("rwx------"));
            return new SessionDirectory(path).withLogs();
        } catch (IOException fault) {
            throw new UncheckedIOException("the session's directory cannot be created: " + path, fault);
        }
    }

    /**
     * Creates a new directory below the user's state directory, or a temporary one if that fails.
     *
     * @param writable the directories that commands can write
     * @throws IllegalArgumentException if it would be in one of these, or other users can write the directory of all
     *     sessions
     */
    public static SessionDirectory fresh(Path state, List<Path> writable) {
        String name = LocalDateTime.now(ZoneOffset.UTC).format(STAMP) + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        Path sessions = state.resolve("sessions");
        new SessionDirectory(sessions).requireBeyond(writable);
        new SessionDirectory(sessions).requireOwn();
        try {
            Files.createDirectories(sessions, ownerOnly("rwx------"));
            return new SessionDirectory(Files.createDirectory(sessions.resolve(name), ownerOnly("rwx------")))
                    .withLogs();
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    "No session directory can be made in " + sessions + "; a temporary one is used",
                    fault);
            return temporary(writable);
        }
    }

    private static SessionDirectory temporary(List<Path> writable) {
        new SessionDirectory(Path.of(System.getProperty("java.io.tmpdir"))).requireBeyond(writable);
        try {
            return new SessionDirectory(Files.createTempDirectory("paddock-session-", ownerOnly("rwx------")))
                    .withLogs();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "no directory for the session can be created; name one with sessionDirectory", fault);
        }
    }

    /**
     * Checks that no command can write the directory, since a session trusts the stored files when it is resumed or
     * removed.
     *
     * @param writable the directories that commands can write
     * @throws IllegalArgumentException if the directory is in one of these
     */
    public void requireBeyond(List<Path> writable) {
        Path here = real(path);
        for (Path one : writable) {
            if (here.startsWith(real(one))) {
                throw new IllegalArgumentException("the session's directory " + path + " lies in " + one
                        + ", where commands could rewrite the session; name a directory outside for it, or set"
                        + " XDG_STATE_HOME to one");
            }
        }
    }

    /**
     * Checks that no other user can write the directory.
     *
     * @throws IllegalArgumentException if one can
     */
    public void requireOwn() {
        if (!POSIX || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Path here = path.toRealPath();
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(here);
            boolean isOpen =
                    mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE);
            if (isOpen || !isOfThisUser(here)) {
                throw new IllegalArgumentException("other users can write the session's directory " + path
                        + "; name one that belongs to you, and that you alone can write, or run chmod go-w on it");
            }
        } catch (IOException fault) {
            throw new UncheckedIOException("the session's directory cannot be read: " + path, fault);
        }
    }

    /** Returns whether a directory belongs to the owner of the files that this process creates. */
    private static boolean isOfThisUser(Path directory) throws IOException {
        UserPrincipal owner = Files.getOwner(directory);
        Path process = Path.of("/proc/self");
        if (Files.exists(process) && owner.equals(Files.getOwner(process))) {
            return true; // without a temporary file, for which there may be no room
        }
        Path own = Files.createTempFile("paddock-", "", ownerOnly("rw-------"));
        try {
            return owner.equals(Files.getOwner(own));
        } finally {
            Files.delete(own);
        }
    }

    /** Resolves the links of a path's existing part. */
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException absent) {
            Path whole = path.toAbsolutePath().normalize();
            Path parent = whole.getParent();
            return parent == null ? whole : real(parent).resolve(whole.getFileName());
        }
    }

    private SessionDirectory withLogs() throws IOException {
        Files.createDirectories(logs(), ownerOnly("rwx------"));
        return this;
    }

    public Path messages() {
        return path.resolve("messages.jsonl");
    }

    public Path logs() {
        return path.resolve("logs");
    }

    /** Returns the current log files, by name; none if the directory cannot be read. */
    public List<Path> logFiles() {
        if (!Files.isDirectory(logs(), LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(logs())) {
            return files.filter(SessionFiles::isLog).sorted().toList();
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "The logs cannot be listed: " + logs(), fault);
            return List.of();
        }
    }

    /** Returns the reference of the session's workspace; empty if it has none. */
    public Optional<String> workspace() {
        return text(workspaceFile(), "the reference of the session's workspace");
    }

    /** Stores the reference of the session's workspace atomically. */
    public void keepWorkspace(String reference) {
        keep(workspaceFile(), reference, "the reference of the session's workspace");
    }

    /** Returns the note; empty if there is none. */
    public Optional<String> note() {
        return text(noteFile(), "the session's note");
    }

    /** Stores the note atomically. */
    public void keepNote(String note) {
        int length = note.getBytes(StandardCharsets.UTF_8).length;
        if (length >= SessionFiles.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "the session's note has " + length + " bytes; it may have " + (SessionFiles.MAX_TEXT_BYTES - 1));
        }
        keep(noteFile(), note, "the session's note");
    }

    private static Optional<String> text(Path file, String what) {
        try {
            return Optional.of(SessionFiles.read(file).strip());
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException fault) {
            throw new UncheckedIOException(what + " cannot be read", fault);
        }
    }

    private void keep(Path file, String text, String what) {
        try {
            Path partial = path.resolve(file.getFileName() + ".new");
            Files.deleteIfExists(partial);
            Files.writeString(Files.createFile(partial, ownerOnly("rw-------")), text + "\n");
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    what + " cannot be kept in " + path + ": " + FileFaults.reason(fault), fault);
        }
    }

    private Path workspaceFile() {
        return path.resolve("workspace.json");
    }

    private Path noteFile() {
        return path.resolve("note");
    }

    static FileAttribute<?>[] ownerOnly(String permissions) {
        if (!POSIX) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }

    /** Returns whether a message is stored here: a session that could not be built leaves a file without messages. */
    public boolean hasSession() {
        try {
            return Files.isRegularFile(messages(), LinkOption.NOFOLLOW_LINKS) && Files.size(messages()) > 0;
        } catch (IOException fault) {
            throw new UncheckedIOException("the session's directory cannot be read: " + path, fault);
        }
    }

    /** Returns the directories below the user's state directory that hold a session. */
    public static List<SessionDirectory> below(Path state) {
        Path sessions = state.resolve("sessions");
        try (Stream<Path> directories = Files.list(sessions)) {
            return directories
                    .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .map(SessionDirectory::new)
                    .filter(SessionDirectory::hasSession)
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException fault) {
            throw new UncheckedIOException("the sessions cannot be read: " + sessions, fault);
        }
    }

    /** Returns when a message was last stored; the epoch if that cannot be determined. */
    public Instant lastChange() {
        try {
            return Files.getLastModifiedTime(messages()).toInstant();
        } catch (IOException gone) {
            return Instant.EPOCH;
        }
    }

    /**
     * Removes the files of the session, and the directory if nothing else is in it: a given directory may contain other
     * files.
     *
     * @return whether the directory is removed
     */
    public boolean remove() {
        try {
            if (SessionFiles.removeFrom(path)) {
                return deleteIfPossible(path);
            }
            return false;
        } catch (IOException fault) {
            throw new UncheckedIOException("the session cannot be removed: " + path, fault);
        }
    }

    private static boolean deleteIfPossible(Path file) throws IOException {
        try {
            return Files.deleteIfExists(file);
        } catch (DirectoryNotEmptyException kept) {
            return false;
        }
    }

    /** Removes a directory that contains neither messages nor the reference of a workspace. */
    public void removeIfUnused() {
        try {
            if (!hasSession() && workspace().isEmpty()) {
                Files.deleteIfExists(noteFile());
                Files.delete(messages());
                Files.delete(logs());
                Files.delete(path);
            }
        } catch (IOException kept) {
            LOG.log(Level.DEBUG, "The session's directory stays: " + path, kept);
        }
    }
}
