package dev.paddock.executor.kubernetes.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Shares one client among all executors of this JVM that reach the same cluster with the same credentials: each client
 * costs about ten threads and 3 MiB. The last user closes the client.
 */
final class SharedClient implements Closeable {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<Key, Shared> OPEN = new HashMap<>();

    private final Key key;
    private final Shared shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Identifies a client by its configuration. A rewritten file counts as a different one. */
    private record Key(String server, String context, String token, List<String> files) {
        static Key of(Config config, Collection<String> files) {
            List<String> states = files.stream().map(Key::state).toList();
            // Omits a token that a program prints: it differs each time, and the client renews it. A service account's
            // token counts.
            String token = states.isEmpty() ? config.getAutoOAuthToken() : config.getOauthToken();
            return new Key(
                    config.getMasterUrl(),
                    config.getCurrentContext() == null
                            ? ""
                            : config.getCurrentContext().getName(),
                    Objects.requireNonNullElse(token, ""),
                    states);
        }

        private static String state(String file) {
            try {
                Path path = Path.of(file);
                return path.toAbsolutePath() + " " + Files.getLastModifiedTime(path) + " " + Files.size(path);
            } catch (IOException absent) {
                return file;
            }
        }
    }

    /** A client and its use count; guarded by {@code LOCK}. */
    private static final class Shared {
        private final KubernetesClient client;
        private int users;

        private Shared(KubernetesClient client) {
            this.client = client;
        }
    }

    private SharedClient(Key key, Shared shared) {
        this.key = key;
        this.shared = shared;
    }

    /**
     * Returns a configuration's client, and builds it if necessary.
     *
     * @param files the sources of the configuration; none for a pod's service account
     * @return one use of it; the caller closes it
     */
    static SharedClient of(Config config, Collection<String> files) {
        Key key = Key.of(config, new ArrayList<>(files));
        LOCK.lock();
        try {
            Shared shared = OPEN.computeIfAbsent(
                    key,
                    unused -> new Shared(
                            new KubernetesClientBuilder().withConfig(config).build()));
            shared.users++;
            return new SharedClient(key, shared);
        } finally {
            LOCK.unlock();
        }
    }

    KubernetesClient client() {
        return shared.client;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        LOCK.lock();
        try {
            shared.users--;
            if (shared.users > 0) {
                return;
            }
            OPEN.remove(key);
        } finally {
            LOCK.unlock();
        }
        shared.client.close();
    }
}
