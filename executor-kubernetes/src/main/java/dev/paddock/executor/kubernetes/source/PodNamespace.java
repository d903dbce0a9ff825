package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.Cluster;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * Identifies a namespace of a cluster for a later process.
 *
 * @param kubeconfig a file; empty for a pod's service account, or where several files are merged
 * @param context the kubeconfig's; empty without one
 */
record PodNamespace(Optional<Path> kubeconfig, Optional<String> context, String namespace) {
    private static final String KUBECONFIG = "kubeconfig";
    private static final String CONTEXT = "context";
    private static final String NAMESPACE = "namespace";

    static PodNamespace of(Cluster cluster, String namespace) {
        return new PodNamespace(cluster.file(), cluster.context(), namespace);
    }

    Cluster cluster() {
        return Cluster.of(kubeconfig, context);
    }

    void write(Path file) throws IOException {
        Properties values = new Properties();
        kubeconfig.ifPresent(path -> values.setProperty(KUBECONFIG, path.toString()));
        context.ifPresent(name -> values.setProperty(CONTEXT, name));
        values.setProperty(NAMESPACE, namespace);
        try (Writer text = Files.newBufferedWriter(file)) {
            values.store(text, null);
        }
    }

    /** Reads a record; empty if its JVM was killed before it was complete, and so before it had a pod. */
    static Optional<PodNamespace> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties values = new Properties();
        try (Reader text = Files.newBufferedReader(file)) {
            values.load(text);
        } catch (IllegalArgumentException garbled) {
            return Optional.empty();
        }
        return Optional.ofNullable(values.getProperty(NAMESPACE))
                .map(namespace -> new PodNamespace(
                        Optional.ofNullable(values.getProperty(KUBECONFIG)).map(Path::of),
                        Optional.ofNullable(values.getProperty(CONTEXT)),
                        namespace));
    }

    @Override
    public String toString() {
        return "the namespace '" + namespace + "'"
                + context.map(name -> " of the context '" + name + "'").orElse("");
    }
}
