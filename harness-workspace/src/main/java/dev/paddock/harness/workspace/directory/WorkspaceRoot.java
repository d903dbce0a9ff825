package dev.paddock.harness.workspace.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.support.FileLock;
import dev.paddock.harness.workspace.tree.PartialDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parent directory of all workspaces. Only the user can enter it. */
final class WorkspaceRoot {
    private static final Pattern ID = Pattern.compile("[0-9a-v]{26}");
    private static final FileAttribute<?> OWN_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final int PERMISSIONS = 0777;

    /** A directory that this process's effective user owns, and that every user may examine. */
    private static final String OWN_PROCESS = "/proc/self/task";

    private static final long MAX_RECORD_LENGTH = 1 << 16;

    private final Path root;
    private final int owner;

    private WorkspaceRoot(Path root, int owner) {
        this.root = root;
        this.owner = owner;
    }

    /** Creates and fills the files directory of a new workspace; returns what it borrows. */
    @FunctionalInterface
    interface Content {
        List<Path> fill(Path files) throws IOException;
    }

    /**
     * Opens the root, and creates it if it does not exist.
     *
     * @throws IOException if other users can enter it, or it cannot be created
     */
    static WorkspaceRoot open(Path given) throws IOException {
        Files.createDirectories(given, OWN_ALONE);
        Path real = given.toRealPath();
        Kernel kernel = Kernel.create();
        Status status = kernel.status(Kernel.NO_DIRECTORY, PathBytes.of(real));
        int self = kernel.status(Kernel.NO_DIRECTORY, OWN_PROCESS).owner();
        if (status.owner() != self || (status.mode() & PERMISSIONS) != 0700) {
            throw new IOException("others can enter the directory of the workspaces, '" + given
                    + "', or it belongs to another user; chmod 700 it, or name another directory");
        }
        return new WorkspaceRoot(real, self);
    }

    /** Creates a workspace, which is visible only when it is complete. */
    WorkspaceDirectory create(WorkspaceRecord record, Content content) throws IOException {
        Kernel kernel = Kernel.create();
        Path target = root.resolve(record.id());
        try (PartialDirectory partial = PartialDirectory.beside(kernel, target)) {
            Path files = partial.directory().resolve(WorkspaceDirectory.FILES);
            WorkspaceRecord complete =
                    record.withBorrowed(WorkspaceRecord.union(record.borrowed(), content.fill(files)));
            Files.createFile(partial.directory().resolve(WorkspaceDirectory.COMMANDS));
            Files.writeString(partial.directory().resolve(WorkspaceDirectory.RECORD), complete.toJson());
            Path use = Files.createFile(partial.directory().resolve(WorkspaceDirectory.USE));
            FileLock lock = FileLock.open(use);
            try {
                lock.share();
                Status identity = partial.status();
                partial.commit();
                return new WorkspaceDirectory(target, complete, identity, lock);
            } catch (IOException fault) {
                lock.close();
                throw fault;
            }
        }
    }

    /** Creates a workspace's empty directory of files. */
    static List<Path> empty(Path files) throws IOException {
        Files.createDirectory(files, OWN_ALONE);
        return List.of();
    }

    /** Returns the ids of all entries that can be workspaces. */
    List<String> ids() throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> ID.matcher(name).matches())
                    .sorted()
                    .toList();
        }
    }

    /**
     * Finds a workspace and locks it.
     *
     * @param alone whether nobody else may have it open
     * @throws WorkspaceEvictedException if it does not exist
     * @throws WorkspaceFailedException if this program did not create its directory, the nonce is not its own, or
     *     others have it open
     */
    WorkspaceDirectory find(String id, String nonce, boolean alone) throws IOException {
        Path path = path(id);
        Kernel kernel = Kernel.create();
        Status before = requireOwn(kernel, path);
        WorkspaceRecord record = record(id);
        if (!MessageDigest.isEqual(nonce.getBytes(UTF_8), record.nonce().getBytes(UTF_8))) {
            throw invalid("it is not the one that the reference was made for");
        }
        FileLock use = openUse(path);
        boolean found = false;
        try {
            if (!(alone ? use.takeAlone() : use.share())) {
                throw alone
                        ? WorkspaceDirectory.openElsewhere()
                        : WorkspaceFailedException.passing("the workspace is being closed elsewhere; open another");
            }
            Status now = requireOwn(kernel, path);
            if (!now.isSameFile(before)) {
                throw new WorkspaceEvictedException();
            }
            found = true;
            return new WorkspaceDirectory(path, record, now, use);
        } finally {
            if (!found) {
                use.close();
            }
        }
    }

    /** Reads a workspace's record, which never changes, without locking the workspace. */
    WorkspaceRecord record(String id) throws IOException {
        Path path = path(id);
        Kernel kernel = Kernel.create();
        requireOwn(kernel, path);
        requireOwn(kernel, path.resolve(WorkspaceDirectory.FILES));
        WorkspaceRecord record = read(path.resolve(WorkspaceDirectory.RECORD));
        if (!record.id().equals(id)) {
            throw invalid("its record is another workspace's");
        }
        return record;
    }

    /** Returns when a workspace was last used. */
    Instant lastUse(String id) throws IOException {
        try {
            return Files.getLastModifiedTime(path(id).resolve(WorkspaceDirectory.USE))
                    .toInstant();
        } catch (NoSuchFileException gone) {
            throw new WorkspaceEvictedException();
        }
    }

    /** Returns the directory of a workspace's files. */
    Path files(String id) {
        return path(id).resolve(WorkspaceDirectory.FILES);
    }

    private Path path(String id) {
        if (!ID.matcher(id).matches()) {
            throw invalid("the reference names none");
        }
        return root.resolve(id);
    }

    /**
     * Requires a directory of this user, not a link; a workspace's must be inaccessible to others, while its
     * files' permissions are up to the commands.
     */
    private Status requireOwn(Kernel kernel, Path path) throws IOException {
        Status status;
        try {
            status = kernel.status(Kernel.NO_DIRECTORY, PathBytes.of(path));
        } catch (Fault fault) {
            if (fault.is(Fault.ENOENT)) {
                throw new WorkspaceEvictedException();
            }
            throw fault;
        }
        if (!status.isDirectory()) {
            throw invalid("a " + status.kind() + " is in its place");
        }
        if (status.owner() != owner) {
            throw invalid("it belongs to another user");
        }
        if (root.equals(path.getParent()) && (status.mode() & PERMISSIONS) != 0700) {
            throw invalid("others can enter it");
        }
        return status;
    }

    private static FileLock openUse(Path path) throws IOException {
        try {
            return FileLock.open(path.resolve(WorkspaceDirectory.USE));
        } catch (NoSuchFileException gone) {
            throw incompleteOrGone(path.resolve(WorkspaceDirectory.USE));
        }
    }

    private static WorkspaceException incompleteOrGone(Path missing) {
        return Files.exists(missing.resolveSibling("."))
                ? invalid("'" + missing.getFileName() + "' is missing")
                : new WorkspaceEvictedException();
    }

    private static WorkspaceRecord read(Path file) throws IOException {
        String json;
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile() || found.size() > MAX_RECORD_LENGTH) {
                throw invalid("it has no record");
            }
            json = Files.readString(file);
        } catch (NoSuchFileException gone) {
            throw incompleteOrGone(file);
        }
        try {
            return WorkspaceRecord.parse(json);
        } catch (RuntimeException malformed) {
            throw new WorkspaceFailedException(
                    "the workspace's record cannot be used: " + malformed.getMessage(), false, malformed);
        }
    }

    private static WorkspaceFailedException invalid(String why) {
        return new WorkspaceFailedException(
                "the workspace's directory is not as Paddock has created it, and is not used: " + why
                        + "; open another");
    }
}
