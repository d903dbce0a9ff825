package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.Closeable;
import java.io.File;
import java.net.HttpURLConnection;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, found as by any client: by the kubeconfig, its context, or a pod's service account. Builds the client,
 * which takes a second or two and is shared within the JVM, at its first use. Thread-safe.
 */
public final class Cluster implements Closeable {
    /** The backend's name. */
    public static final String BACKEND = "kubernetes";

    /** The code of a call without a response, for example if the name does not resolve. */
    private static final int NO_RESPONSE = -1;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Optional<Path> kubeconfig;
    private final Optional<String> context;
    private @Nullable Config config;
    private @Nullable SharedClient client;
    private volatile @Nullable SandboxVersion sandboxes;

    private Cluster(Optional<Path> kubeconfig, Optional<String> context) {
        this.kubeconfig = kubeconfig;
        this.context = context;
    }

    /**
     * Returns a cluster, which is first read and contacted at its first use.
     *
     * @param kubeconfig a kubeconfig file; empty for {@code KUBECONFIG}, {@code ~/.kube/config} or the pod's own
     *     service account
     * @param context a context of the kubeconfig; empty for the current one
     */
    public static Cluster of(Optional<Path> kubeconfig, Optional<String> context) {
        return new Cluster(kubeconfig, context);
    }

    Config config() {
        lock.lock();
        try {
            Config known = config;
            if (known == null) {
                known = read();
                config = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private Config read() {
        Config found;
        try {
            found = kubeconfig.isPresent()
                    ? Config.fromKubeconfig(
                            context.orElse(null), new File(kubeconfig.get().toString()))
                    : Config.autoConfigure(context.orElse(null));
        } catch (RuntimeException fault) {
            // Without the parser's message, which quotes the file's credentials.
            throw unavailable(
                    "the kubeconfig cannot be used: " + defects("is not a whole kubeconfig in YAML or JSON"),
                    "Correct the file (kubectl config view), or name another by KUBECONFIG.",
                    null);
        }
        if (context.isPresent()
                && (found.getCurrentContext() == null
                        || !found.getCurrentContext().getName().equals(context.get()))) {
            throw unavailable(
                    "the kubeconfig has no context '" + context.get() + "': " + defects("does not define it"),
                    "Name one that kubectl config get-contexts lists.",
                    null);
        }
        found.setConnectionTimeout((int) TIMEOUT.toMillis());
        found.setRequestTimeout((int) TIMEOUT.toMillis());
        // Reports a cluster that does not answer instead of retrying for a minute.
        found.setRequestRetryBackoffLimit(1);
        return found;
    }

    /**
     * Returns the defect of the kubeconfigs.
     *
     * @param otherwise the defect of a readable file
     */
    private String defects(String otherwise) {
        List<String> found = new ArrayList<>();
        List<String> readable = new ArrayList<>();
        for (String name : files()) {
            Path file = Path.of(name);
            if (!Files.exists(file)) {
                found.add("'" + name + "' does not exist");
            } else if (Files.isDirectory(file)) {
                found.add("'" + name + "' is a directory");
            } else if (!Files.isReadable(file)) {
                found.add("'" + name + "' may not be read");
            } else {
                readable.add("'" + name + "'");
            }
        }
        if (!readable.isEmpty()) {
            found.add(String.join(" or ", readable) + " " + otherwise);
        }
        return String.join(", ", found);
    }

    KubernetesClient client() {
        lock.lock();
        try {
            SharedClient known = client;
            if (known == null) {
                if (!isConfigured()) {
                    throw unavailable(
                            "there is no kubeconfig to use, and this process runs in no pod: "
                                    + defects("has no current context"),
                            "Name a kubeconfig by KUBECONFIG, or create ~/.kube/config.",
                            null);
                }
                known = SharedClient.of(config(), files());
                client = known;
            }
            return known.client();
        } finally {
            lock.unlock();
        }
    }

    /** Builds the client ahead of its first use. */
    public void prepare() {
        KubernetesClient unused = client();
    }

    /** Returns the server's address, for messages; the context's, without a request. */
    public String where() {
        return config().getMasterUrl();
    }

    /** Returns the kubeconfig; empty without one, and if several are merged. */
    public Optional<Path> file() {
        return files().size() == 1
                ? Optional.of(Path.of(files().iterator().next()).toAbsolutePath())
                        .filter(Files::exists)
                : Optional.empty();
    }

    private Collection<String> files() {
        return kubeconfig.isPresent()
                ? List.of(kubeconfig.get().toString())
                : Optional.ofNullable(Config.getKubeconfigFilenames()).orElse(List.of());
    }

    /** Returns the context's name; empty without a kubeconfig. */
    public Optional<String> context() {
        return Optional.ofNullable(config().getCurrentContext()).map(NamedContext::getName);
    }

    /** Returns the namespace of the context, or {@code default}. */
    public String namespace() {
        String named = config().getNamespace();
        return named == null || named.isBlank() ? "default" : named;
    }

    /**
     * Calls the API server.
     *
     * @param what the action, for messages: {@code create pods in the namespace 'x'}
     * @return the call's result
     * @throws SandboxUnavailableException if the server does not answer, or refuses
     */
    public <T> T call(String what, Function<KubernetesClient, T> action) {
        try {
            return action.apply(client());
        } catch (KubernetesClientException fault) {
            throw refused(what, fault);
        }
    }

    /** Returns whether there is a kubeconfig, or a service account of a pod. */
    public boolean isConfigured() {
        Config found = config();
        return found.getCurrentContext() != null || found.getFile() != null || found.getAutoOAuthToken() != null;
    }

    public String version() {
        return call("tell its version", any -> any.getKubernetesVersion().getGitVersion());
    }

    /** Returns the version of agent-sandbox that the server serves, and caches it; empty if it serves none. */
    Optional<SandboxVersion> sandboxes() {
        SandboxVersion known = sandboxes;
        if (known != null) {
            return Optional.of(known);
        }
        Optional<SandboxVersion> found = call("list its resources", SandboxVersion::served);
        found.ifPresent(version -> sandboxes = version);
        return found;
    }

    /** Returns a pod; empty if it does not exist. */
    public Optional<Pod> pod(String namespace, String name) {
        return call(
                "get pods in the namespace '" + namespace + "'",
                any -> Optional.ofNullable(resource(namespace, name).get()));
    }

    PodResource resource(String namespace, String name) {
        return client().pods().inNamespace(namespace).withName(name);
    }

    SandboxUnavailableException refused(String what, KubernetesClientException fault) {
        return switch (fault.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                unavailable(
                        "the API server at " + where() + " does not accept the credentials of the kubeconfig",
                        "Log in again, or name another context (kubectl config get-contexts).",
                        fault);
            case HttpURLConnection.HTTP_FORBIDDEN -> forbidden(what, fault);
            case 0, NO_RESPONSE ->
                new SandboxUnavailableException(
                        BACKEND,
                        new Availability.Unusable(
                                "the API server at " + where() + " does not answer: " + cause(fault),
                                "Look at the cluster (kubectl cluster-info), or name another context.",
                                true));
            default ->
                unavailable(
                        "the API server at " + where() + " refuses to " + what + ": " + message(fault),
                        "Fix what the server's message names.",
                        fault);
        };
    }

    /** Returns the exception for an action that this account may not take. */
    SandboxUnavailableException forbidden(String what, @Nullable Exception fault) {
        return unavailable(
                "the API server at " + where() + " does not let this account " + what,
                "Grant it the Role of docs/kubernetes/" + role(what)
                        + " (kubectl auth can-i --list shows what it may).",
                fault);
    }

    /** Returns the file with the Role that grants an action. */
    private static String role(String what) {
        String action = what.split(" in the namespace ", 2)[0];
        if (action.contains("networkpolicies")) {
            return "role-network.yaml";
        }
        return action.contains("sandbox") ? "role-sandboxes.yaml" : "role.yaml";
    }

    private static String message(KubernetesClientException fault) {
        return fault.getStatus() != null && fault.getStatus().getMessage() != null
                ? fault.getStatus().getMessage()
                : cause(fault);
    }

    static String cause(Throwable fault) {
        Throwable deepest = fault;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        if (deepest instanceof UnresolvedAddressException) {
            return "its name has no address";
        }
        String message = deepest.getMessage();
        return message == null || message.isBlank()
                ? deepest.getClass().getSimpleName().replace("Exception", "").toLowerCase(Locale.ROOT)
                : message;
    }

    private static SandboxUnavailableException unavailable(String reason, String remedy, @Nullable Exception cause) {
        SandboxUnavailableException unavailable =
                new SandboxUnavailableException(BACKEND, new Availability.Unusable(reason, remedy));
        if (cause != null) {
            unavailable.initCause(cause);
        }
        return unavailable;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (client != null) {
                client.close();
                client = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
