package dev.paddock.harness.workspace.store;

import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes contents that belong to no snapshot. Marks live contents from the manifests of all snapshots; stops at a
 * damaged manifest before it removes anything, and keeps a damaged pack while a snapshot may need it. Rewrites a pack
 * of which less than half is in use.
 */
final class GarbageCollector {
    private final StoreFiles files;
    private final Set<Hash> live = new HashSet<>();

    GarbageCollector(StoreFiles files) {
        this.files = files;
    }

    /** Marks the contents of a snapshot as in use. */
    void mark(Node node) {
        if (node.isFile()) {
            live.add(node.hash());
        }
        node.children().forEach(this::mark);
    }

    /** Removes the contents that are not marked. */
    void sweep(Set<Hash> manifests) throws IOException {
        Set<Path> objects = new HashSet<>();
        live.forEach(hash -> objects.add(files.object(hash)));
        for (Path object : files.listObjects()) {
            if (!objects.contains(object)) {
                Files.delete(object);
            }
        }
        Set<Hash> missing = new HashSet<>(live);
        List<Path> damaged = new ArrayList<>();
        List<Pack> packs = new ArrayList<>();
        for (Path file : StoreFiles.list(files.packs())) {
            try {
                Pack pack = Pack.open(file);
                for (int at = 0; at < pack.count(); at++) {
                    missing.remove(pack.hash(at));
                }
                packs.add(pack);
            } catch (StoreException fault) {
                damaged.add(file);
            }
        }
        missing.removeIf(hash -> Files.exists(files.object(hash)));
        for (Path file : missing.isEmpty() ? damaged : List.<Path>of()) {
            Files.delete(file); // no snapshot needs it any more
        }
        for (Pack pack : packs) {
            sweep(pack);
        }
        for (Path manifest : StoreFiles.list(files.manifests())) {
            if (manifests.stream().noneMatch(hash -> manifest.endsWith(hash.hex()))) {
                Files.delete(manifest);
            }
        }
    }

    private void sweep(Pack pack) throws IOException {
        long all = 0;
        long used = 0;
        for (int at = 0; at < pack.count(); at++) {
            int length = pack.extent(at).length() + 1;
            all += length;
            used += live.contains(pack.hash(at)) ? length : 0;
        }
        if (used * 2 < all && (used == 0 || rewrite(pack))) {
            Files.delete(pack.file());
        }
    }

    /** Writes live contents to a new pack; returns false if a part is damaged or the disk is full. */
    private boolean rewrite(Pack pack) throws IOException {
        Path made = files.temporary().resolve("rewritten");
        try (FileChannel channel = pack.channel();
                Pack.Writer writer = new Pack.Writer(made)) {
            for (int at = 0; at < pack.count(); at++) {
                Hash hash = pack.hash(at);
                if (live.contains(hash)) {
                    Optional<byte[]> content = pack.read(channel, hash, pack.extent(at));
                    if (content.isEmpty()) {
                        Files.delete(made);
                        return false;
                    }
                    writer.add(hash, content.get(), content.get().length);
                }
            }
            StoreFiles.move(made, files.packs().resolve(writer.finish()));
            StoreFiles.sync(files.packs());
        } catch (IOException full) {
            Files.deleteIfExists(made);
            return false;
        }
        return true;
    }
}
