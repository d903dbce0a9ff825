package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.Damage;
import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads every file of a store, and compares it with its hash. */
public final class StoreCheck {
    private final Kernel kernel;
    private final StoreFiles files;
    private final SnapshotStore store;
    private final Set<Hash> intact = new HashSet<>();
    private final Map<Path, String> damaged = new HashMap<>();
    private final Map<Hash, Path> places = new HashMap<>();
    private final Map<Path, Set<String>> snapshots = new HashMap<>();

    public StoreCheck(Kernel kernel, StoreFiles files) {
        this.kernel = kernel;
        this.files = files;
        store = new SnapshotStore(kernel, files, new SnapshotCache());
    }

    /** Returns the damaged files, sorted; none if the store is intact. */
    public List<Damage> run() throws IOException {
        for (Path file : StoreFiles.list(files.packs())) {
            pack(file);
        }
        for (Path file : files.listObjects()) {
            object(file);
        }
        for (Path file : StoreFiles.list(files.snapshots())) {
            snapshot(String.valueOf(file.getFileName()), file);
        }
        List<Damage> found = new ArrayList<>();
        for (Path file : new TreeSet<>(damaged.keySet())) {
            found.add(new Damage(
                    files.root().relativize(file).toString(),
                    damaged.getOrDefault(file, ""),
                    List.copyOf(new TreeSet<>(snapshots.getOrDefault(file, Set.of())))));
        }
        return found;
    }

    private void pack(Path file) throws IOException {
        Pack pack;
        try {
            pack = Pack.open(file);
        } catch (StoreException fault) {
            damaged.put(file, "its index is cut or altered");
            return;
        }
        try (FileChannel channel = pack.channel()) {
            for (int at = 0; at < pack.count(); at++) {
                Hash hash = pack.hash(at);
                places.put(hash, file);
                if (pack.read(channel, hash, pack.extent(at)).isPresent()) {
                    intact.add(hash);
                } else {
                    damaged.put(file, "a content is cut or altered");
                }
            }
        }
    }

    private void object(Path file) throws IOException {
        int descriptor = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
        try {
            Hash hash = new HashedCopy(kernel)
                    .copy(descriptor, kernel.status(descriptor).size(), (data, offset, length) -> {});
            if (file.equals(files.object(hash))) {
                intact.add(hash);
            } else {
                damaged.put(file, "its content is cut or altered");
            }
        } finally {
            kernel.close(descriptor);
        }
    }

    private void snapshot(String id, Path file) throws IOException {
        try {
            SnapshotRecord record = store.record(id);
            contents(store.load(record), id);
        } catch (StoreException fault) {
            damaged.put(file, String.valueOf(fault.getMessage()));
            snapshots.computeIfAbsent(file, key -> new HashSet<>()).add(id);
        }
    }

    private void contents(Node node, String id) {
        if (node.isFile() && !intact.contains(node.hash())) {
            Path place = places.getOrDefault(node.hash(), files.object(node.hash()));
            damaged.putIfAbsent(place, "it is missing, or in a pack that is damaged");
            snapshots.computeIfAbsent(place, key -> new HashSet<>()).add(id);
        }
        node.children().forEach(child -> contents(child, id));
    }
}
