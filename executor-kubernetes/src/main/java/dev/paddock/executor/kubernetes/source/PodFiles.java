package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.files.GitSettings;
import dev.paddock.executor.remote.files.SyncSettings;
import dev.paddock.executor.remote.files.SyncedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The worktree that is synchronized with a directory of the pod, and the executor's own directories for that on both
 * sides.
 *
 * @param synced synchronizes around commands
 * @param state the executor's directory here
 * @param stateThere the executor's directory in the pod
 */
public record PodFiles(SyncedFiles synced, PrivateState state, String stateThere) implements AutoCloseable {
    /** How long disposal, which may take 10 seconds, waits for the last changes. */
    private static final Duration LAST_FETCH = Duration.ofSeconds(3);

    /** The same, before ending a pod whose executor continues. */
    private static final Duration FETCH_BEFORE_END = Duration.ofSeconds(1);

    /**
     * Guards the worktree; the pod is contacted at the first command.
     *
     * @param settings the worktree, the protected paths and the progress listener; the path of the state directory is
     *     chosen here
     */
    public static PodFiles over(SyncSettings settings) {
        try {
            Path root = settings.worktree().hostPath().toRealPath();
            String there = "/tmp/paddock-" + UUID.randomUUID();
            PrivateState state = PrivateState.create(Cluster.BACKEND);
            try {
                SyncSettings real = new SyncSettings(
                        new PathMapping(root, settings.worktree().commandPath()),
                        there,
                        settings.names(),
                        settings.quarantine(),
                        settings.progress(),
                        settings.limits());
                return new PodFiles(SyncedFiles.over(real, state), state, there);
            } catch (RuntimeException fault) {
                state.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the worktree '" + settings.worktree().hostPath() + "' cannot be synchronized: "
                            + FileFaults.reason(fault),
                    fault);
        }
    }

    /** Adds the variables that keep git from rewriting its index on each side. */
    static Map<String, String> environment(Optional<PodFiles> files, Map<String, String> variables) {
        Map<String, String> all = new TreeMap<>(variables);
        if (files.isPresent()) {
            all.putAll(GitSettings.variables(variables));
        }
        return Map.copyOf(all);
    }

    /** Fetches the last changes before the pod is deleted; logs those that it cannot fetch. */
    boolean fetchLast() {
        return synced.fetchLast(LAST_FETCH);
    }

    /** Fetches the last changes before a pod is ended because its commands cannot be killed. */
    boolean fetchBeforeEnd() {
        return synced.fetchLast(FETCH_BEFORE_END);
    }

    @Override
    public void close() {
        try {
            synced.close();
        } finally {
            state.close();
        }
    }
}
