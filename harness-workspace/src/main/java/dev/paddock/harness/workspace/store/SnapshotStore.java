package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.CopyReport;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.StoreException;
import dev.paddock.harness.workspace.StoreException.Reason;
import dev.paddock.harness.workspace.tree.TreeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The operations of a store; the caller has its lock. */
public final class SnapshotStore {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Kernel kernel;
    private final StoreFiles files;
    private final SnapshotCache cache;

    /**
     * Creates the operations.
     *
     * @param cache the last manifest
     */
    public SnapshotStore(Kernel kernel, StoreFiles files, SnapshotCache cache) {
        this.kernel = kernel;
        this.files = files;
        this.cache = cache;
    }

    /** Takes a snapshot. */
    public SnapshotInfo snapshot(Path tree, String label, long maxBytes) throws IOException {
        Status status = kernel.status(Kernel.NO_DIRECTORY, PathBytes.of(tree));
        Optional<SnapshotRecord> last = records().stream()
                .filter(record -> record.device() == status.device() && record.inode() == status.inode())
                .max(Comparator.comparing(record -> record.info().id()));
        Optional<Node> base = last.isPresent() ? Optional.of(load(last.get())) : Optional.empty();
        long used = files.used();
        long free = maxBytes - used;
        try (Contents contents = new Contents(files);
                Intake intake = new Intake(kernel, files, contents, free)) {
            Path scratch = Files.createTempDirectory(files.temporary(), "git");
            TreeRecorder recorder = new TreeRecorder(intake, base, status.device());
            new TreeReader(kernel, tree, scratch, recorder).asOwner().read();
            Node root = recorder.root().orElseThrow();
            boolean unchanged = base.isPresent() && isSame(base.get(), root);
            if (unchanged && last.isPresent() && last.get().info().label().equals(label)) {
                return last.get().info();
            }
            contents.packs(); // entries are reused from the last snapshot, so their contents must exist
            byte[] manifest = unchanged ? new byte[0] : ManifestFormat.encode(root);
            Hash hash = unchanged && last.isPresent() ? last.get().manifest() : Hash.of(manifest, 0, manifest.length);
            SnapshotRecord record = record(tree, label, recorder, hash, root.inode());
            intake.requireSpace(manifest.length + (long) record.encode().length, used, maxBytes);
            intake.publish();
            if (!unchanged) {
                files.publish(files.manifest(hash), manifest);
            }
            files.publish(files.snapshots().resolve(record.info().id()), record.encode());
            cache.put(hash, root);
            return record.info();
        } finally {
            files.clearTemporary();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the recorder returns the object itself if nothing has changed
    private static boolean isSame(Node one, Node other) {
        return one == other;
    }

    private static SnapshotRecord record(Path tree, String label, TreeRecorder recorder, Hash manifest, long inode) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        String id = STAMP.format(now) + String.format("-%06x", RANDOM.nextInt(1 << 24));
        SnapshotInfo info =
                new SnapshotInfo(id, label, now, tree, recorder.files(), recorder.bytes(), recorder.omissions());
        return new SnapshotRecord(info, manifest, recorder.device(), inode);
    }

    /** Returns all snapshots, the oldest first. */
    public List<SnapshotInfo> list() throws IOException {
        return records().stream().map(SnapshotRecord::info).toList();
    }

    List<SnapshotRecord> records() throws IOException {
        List<SnapshotRecord> records = new ArrayList<>();
        for (Path file : StoreFiles.list(files.snapshots())) {
            records.add(record(String.valueOf(file.getFileName())));
        }
        return records;
    }

    SnapshotRecord record(String id) throws IOException {
        Path file = file(id);
        try {
            return SnapshotRecord.decode(id, Files.readAllBytes(file));
        } catch (NoSuchFileException absent) {
            throw new StoreException(Reason.ABSENT, "the store '" + files.root() + "' has no snapshot '" + id + "'");
        } catch (IOException damaged) {
            throw corrupt("the record of the snapshot", id, damaged);
        }
    }

    private Path file(String id) throws StoreException {
        if (!id.matches("[0-9a-f-]{1,64}")) {
            throw new StoreException(Reason.ABSENT, "'" + id + "' is not the id of a snapshot");
        }
        return files.snapshots().resolve(id);
    }

    private static StoreException corrupt(String file, String id, IOException fault) {
        return new StoreException(
                Reason.CORRUPT,
                file + " '" + id + "' is damaged: " + fault.getMessage()
                        + ". Delete that snapshot; the others can be used then");
    }

    /** Returns the entries of a snapshot; compares the manifest with its hash. */
    Node load(SnapshotRecord record) throws IOException {
        Optional<Node> known = cache.get(record.manifest());
        if (known.isPresent()) {
            return known.get();
        }
        try {
            byte[] bytes = Files.readAllBytes(files.manifest(record.manifest()));
            if (!Hash.of(bytes, 0, bytes.length).equals(record.manifest())) {
                throw new IOException("it is cut or altered");
            }
            Node root = ManifestFormat.decode(bytes);
            cache.put(record.manifest(), root);
            return root;
        } catch (NoSuchFileException absent) {
            throw corrupt("the manifest of the snapshot", record.info().id(), new IOException("it is missing"));
        } catch (IOException damaged) {
            throw corrupt("the manifest of the snapshot", record.info().id(), damaged);
        }
    }

    /** Writes a snapshot to a new directory. */
    public CopyReport restore(String id, Path target) throws IOException {
        return Restorer.restore(kernel, files, load(record(id)), target);
    }

    /** Compares two snapshots. */
    public List<Change> changes(String from, String to) throws IOException {
        Node before = load(record(from));
        return Differences.between(before, load(record(to)));
    }

    /** Deletes a snapshot, and content that belongs to no other. */
    public void delete(String id) throws IOException {
        if (!Files.deleteIfExists(file(id))) {
            throw new StoreException(Reason.ABSENT, "the store '" + files.root() + "' has no snapshot '" + id + "'");
        }
        StoreFiles.sync(files.snapshots());
        collect();
    }

    /** Removes content that belongs to no snapshot. */
    public void collect() throws IOException {
        GarbageCollector collector = new GarbageCollector(files);
        Set<Hash> manifests = new HashSet<>();
        for (SnapshotRecord record : records()) {
            if (manifests.add(record.manifest())) {
                collector.mark(load(record));
            }
        }
        collector.sweep(manifests);
    }
}
