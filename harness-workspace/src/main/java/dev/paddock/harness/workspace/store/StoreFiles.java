package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The directories of a store. Only the user can enter it. */
public final class StoreFiles {
    private static final String FORMAT = "paddock snapshots 2\n";

    private final Path root;

    private StoreFiles(Path root) {
        this.root = root;
    }

    /**
     * Opens a store, and creates it if there is none.
     *
     * @param wait how long to wait for another process that creates it
     * @throws IOException if the directory is something else
     */
    public static StoreFiles open(Path directory, Duration wait) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        StoreFiles files = new StoreFiles(directory.toRealPath());
        if (!Files.exists(files.format())) {
            files.refuseForeign();
            StoreLock alone = StoreLock.toWrite(Kernel.create(), files, wait);
            try {
                files.create();
            } finally {
                alone.close();
            }
        }
        if (!Files.readString(files.format()).equals(FORMAT)) {
            throw new IOException("'" + directory
                    + "' is a store of another version of Paddock; use that version, or name another directory");
        }
        for (String name : List.of("packs", "objects", "manifests", "snapshots", "tmp")) {
            Files.createDirectories(files.root.resolve(name));
        }
        return files;
    }

    /** Refuses a directory with files other than those of a store under construction. */
    private void refuseForeign() throws IOException {
        for (Path entry : list(root)) {
            boolean ofCreation = entry.endsWith("tmp") || (entry.equals(lock()) && StoreLock.isLock(entry));
            if (!ofCreation && !Files.exists(format())) { // the format file is written before all others
                throw new IOException("'" + root + "' is no store of snapshots and not empty; name another directory");
            }
        }
    }

    /** Creates the store unless another process did; the caller has the exclusive lock. */
    private void create() throws IOException {
        if (Files.exists(format())) {
            return;
        }
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(temporary());
        Path made = Files.createTempFile(temporary(), "format", null);
        Files.writeString(made, FORMAT);
        move(made, format());
    }

    private Path format() {
        return root.resolve("format");
    }

    /** Returns the store's real path. */
    public Path root() {
        return root;
    }

    Path lock() {
        return root.resolve("lock");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path packs() {
        return root.resolve("packs");
    }

    Path objects() {
        return root.resolve("objects");
    }

    Path object(Hash hash) {
        String hex = hash.hex();
        return objects().resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    }

    Path manifests() {
        return root.resolve("manifests");
    }

    Path manifest(Hash hash) {
        return manifests().resolve(hash.hex());
    }

    Path snapshots() {
        return root.resolve("snapshots");
    }

    /** Returns the entries of a directory, sorted. */
    static List<Path> list(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException absent) {
            return List.of();
        }
        Collections.sort(found);
        return found;
    }

    /** Returns all objects. */
    List<Path> listObjects() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path directory : list(objects())) {
            found.addAll(list(directory));
        }
        return found;
    }

    /** Returns the sum of the sizes of the store's files, without those of a snapshot in progress. */
    long used() throws IOException {
        long sum = 0;
        for (Path directory : List.of(packs(), manifests(), snapshots())) {
            for (Path file : list(directory)) {
                sum += Files.size(file);
            }
        }
        for (Path file : listObjects()) {
            sum += Files.size(file);
        }
        return sum;
    }

    /** Removes leftovers of killed processes; the caller has the exclusive lock. */
    void clearTemporary() throws IOException {
        for (Path left : list(temporary())) {
            TreeRemoval.remove(left);
        }
    }

    /** Writes a small file to disk, then gives it its final name. */
    void publish(Path target, byte[] content) throws IOException {
        Path made = Files.createTempFile(temporary(), "new", null);
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
            for (ByteBuffer bytes = ByteBuffer.wrap(content); bytes.hasRemaining(); ) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException fault) {
            Files.deleteIfExists(made);
            throw unwritable(fault);
        }
        move(made, target);
        sync(Objects.requireNonNull(target.getParent()));
    }

    static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes the names in a directory to the device. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    StoreException unwritable(IOException fault) {
        return new StoreException(
                StoreException.Reason.UNWRITABLE,
                "the store '" + root + "' cannot be written: " + FileFaults.reason(fault)
                        + "; nothing of the snapshot is kept. Free space, or delete snapshots");
    }
}
