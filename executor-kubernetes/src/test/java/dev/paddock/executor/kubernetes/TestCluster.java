package dev.paddock.executor.kubernetes;

import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import dev.paddock.fixtures.ClusterUse;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Provides the cluster of the tests: that of the kubeconfig in {@code PADDOCK_TEST_KUBECONFIG}, or in the
 * system property {@code paddock.test.kubeconfig}. It has the images of build/test-images.sh, and its node
 * is this machine. Without one the tests are skipped, and fail where skipping is not allowed.
 */
public final class TestCluster {
    public static final String BUSYBOX = "docker.io/paddock-test/busybox:latest";
    public static final String DEBIAN = "docker.io/paddock-test/debian:latest";
    public static final String NAMESPACE = "default";
    public static final String CONTAINER = "box";

    /** Three connections in a row, from containerd to this JVM, each with the kernel's largest buffers. */
    static final long TRANSPORT_BYTES = 128L << 20;

    private static @Nullable KubernetesClient client;

    private static boolean runs;

    private TestCluster() {}

    /** Returns the kubeconfig, and makes the provider find it. */
    public static Path kubeconfig() {
        String named = System.getProperty(
                "paddock.test.kubeconfig", SuiteEnvironment.variables().getOrDefault("PADDOCK_TEST_KUBECONFIG", ""));
        Prerequisite.require(
                !named.isEmpty() && Files.isReadable(Path.of(named)),
                "there is no test cluster: PADDOCK_TEST_KUBECONFIG names no kubeconfig, so that nothing of the"
                        + " Kubernetes executor is tested");
        System.setProperty("kubeconfig", named);
        return Path.of(named);
    }

    /** Lets the cluster run until this JVM ends, since its next class may need it, too. */
    static synchronized void letRun() throws IOException {
        Path kubeconfig = kubeconfig();
        if (!runs) {
            Optional<ClusterUse> use = ClusterUse.begin(kubeconfig);
            use.ifPresent(begun -> Runtime.getRuntime().addShutdownHook(new Thread(() -> end(begun))));
            runs = true;
        }
    }

    private static void end(ClusterUse use) {
        try {
            use.close();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Returns the documented template of a sandbox. */
    static String template() {
        try {
            return Files.readString(Path.of("..", "docs", "kubernetes", "template.yaml"));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    static synchronized KubernetesClient client() {
        KubernetesClient known = client;
        if (known == null) {
            known = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(new File(kubeconfig().toString())))
                    .build();
            client = known;
        }
        return known;
    }

    /** Returns a builder of managed executors that share a directory with the pod. */
    static KubernetesExecutorBuilder managed(String image, Path shared) {
        return synced(image, shared).worktreeHostPath(".");
    }

    /** Returns a builder of managed executors whose pod's directory is synchronized with a worktree. */
    static KubernetesExecutorBuilder synced(String image, Path worktree) {
        return KubernetesExecutor.builder()
                .kubeconfig(kubeconfig())
                .namespace(NAMESPACE)
                .image(image)
                .pullPolicy("Never")
                .worktree(worktree);
    }

    /** Starts a pod as a third party might create it, unless it exists; it shares a directory. */
    public static void start(String name, String image, Path shared) {
        start(name, image, shared, UnaryOperator.identity());
    }

    static void start(String name, String image, Path shared, UnaryOperator<Pod> change) {
        var pods = client().pods().inNamespace(NAMESPACE);
        if (pods.withName(name).get() == null) {
            Pod pod = new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .addToLabels("paddock-test", "yes")
                    .endMetadata()
                    .withNewSpec()
                    .withRestartPolicy("Never")
                    .withTerminationGracePeriodSeconds(0L)
                    .withActiveDeadlineSeconds(900L)
                    .withAutomountServiceAccountToken(false)
                    .withShareProcessNamespace(true)
                    .addNewVolume()
                    .withName("shared")
                    .withNewHostPath(shared.toString(), "Directory")
                    .endVolume()
                    .addNewContainer()
                    .withName(CONTAINER)
                    .withImage(image)
                    .withImagePullPolicy("Never")
                    .withCommand("sh", "-c", "trap 'exit 0' TERM; mkfifo /dev/shm/wait; read x </dev/shm/wait")
                    .addNewVolumeMount()
                    .withName("shared")
                    .withMountPath("/work")
                    .endVolumeMount()
                    .endContainer()
                    .endSpec()
                    .build();
            Pod unused = pods.resource(change.apply(pod)).create();
        }
        Pod unused = pods.withName(name)
                .waitUntilCondition(
                        pod -> pod != null
                                && pod.getStatus() != null
                                && "Running".equals(pod.getStatus().getPhase()),
                        60,
                        TimeUnit.SECONDS);
    }

    public static void delete(String name) {
        var pod = client().pods().inNamespace(NAMESPACE).withName(name);
        var unused = pod.withGracePeriod(0).delete();
        Pod unusedEnd = pod.waitUntilCondition(seen -> seen == null, 30, TimeUnit.SECONDS);
    }

    /** Creates a namespace for the pods of one test. */
    static void createNamespace(String name) {
        var unused = client().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Awaitility.await("pods can be created in the namespace")
                .atMost(Duration.ofSeconds(30))
                .until(() -> client().serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
    }

    static void deleteNamespace(String name) {
        var unused = client().namespaces().withName(name).delete();
    }

    /** Returns the names of the pods that executors have created and not deleted. */
    static List<String> managedPods() {
        return managedPods(NAMESPACE);
    }

    static List<String> managedPods(String namespace) {
        return client()
                .pods()
                .inNamespace(namespace)
                .withLabel("app.kubernetes.io/managed-by", "paddock")
                .list()
                .getItems()
                .stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }
}
