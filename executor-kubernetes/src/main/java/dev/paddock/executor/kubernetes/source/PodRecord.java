package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records the namespace of an executor's pod, so that a sweep finds the pod of a killed JVM. The record is made before
 * the pod, and removed after it.
 */
final class PodRecord implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(PodRecord.class);

    /** Prefix of the names of record directories; no backend's name starts with it. */
    private static final String RECORDS = "pods";

    private static final String FILE = "namespace";

    private final PrivateState state;

    private PodRecord(PrivateState state) {
        this.state = state;
    }

    static PodRecord of(Cluster cluster, String namespace) {
        try {
            PrivateState state = PrivateState.create(RECORDS);
            try {
                PodNamespace.of(cluster, namespace).write(state.directory().resolve(FILE));
                return new PodRecord(state);
            } catch (IOException | RuntimeException fault) {
                state.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the pod cannot be recorded for a later sweep: " + FileFaults.reason(fault), fault);
        }
    }

    @Override
    public void close() {
        state.close();
    }

    /** Returns the namespaces in which dead JVMs may have left pods, with their records. */
    static Map<PodNamespace, List<PrivateState>> left() {
        Map<PodNamespace, List<PrivateState>> left = new LinkedHashMap<>();
        try {
            for (PrivateState state : PrivateState.abandoned(RECORDS)) {
                Optional<PodNamespace> namespace =
                        PodNamespace.read(state.directory().resolve(FILE));
                namespace.ifPresentOrElse(
                        known -> left.computeIfAbsent(known, unused -> new ArrayList<>())
                                .add(state),
                        state::close);
            }
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.WARNING, "the records of pods cannot be read", fault);
        }
        return left;
    }
}
