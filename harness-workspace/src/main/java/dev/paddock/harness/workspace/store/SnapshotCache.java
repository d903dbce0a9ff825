package dev.paddock.harness.workspace.store;

import java.lang.ref.SoftReference;
import java.util.Optional;

/** Caches the last used manifest, as long as memory allows. Thread-safe. */
public final class SnapshotCache {
    private volatile Held held = new Held(Hash.NONE, new SoftReference<>(null));

    private record Held(Hash hash, SoftReference<Node> root) {}

    Optional<Node> get(Hash hash) {
        Held now = held;
        return now.hash.equals(hash) ? Optional.ofNullable(now.root.get()) : Optional.empty();
    }

    void put(Hash hash, Node root) {
        held = new Held(hash, new SoftReference<>(root));
    }
}
