package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ResourceLimits;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Specifies a managed pod: a pure function of the settings.
 *
 * @param name the pod's name
 * @param image the image of its one container
 * @param pullPolicy {@code Always}, {@code IfNotPresent} or {@code Never}; empty for the cluster's default
 * @param labels identify its owner
 * @param annotations further ones
 * @param worktree the worktree's volume; empty for an empty directory in the pod
 * @param workDirectory the path at which commands see the worktree
 * @param user the numeric user and group of everything in the pod
 * @param limits memory and processor time
 * @param runtimeClass the runtime class; empty for the cluster's default
 * @param pullSecrets names of secrets
 * @param nodeSelector labels of the nodes that may run it
 * @param deadline the time after which the cluster ends it
 */
public record PodSpecification(
        String name,
        String image,
        Optional<String> pullPolicy,
        Map<String, String> labels,
        Map<String, String> annotations,
        Optional<WorktreeVolume> worktree,
        String workDirectory,
        long user,
        ResourceLimits limits,
        Optional<String> runtimeClass,
        List<String> pullSecrets,
        Map<String, String> nodeSelector,
        Duration deadline) {
    public static final String CONTAINER = "commands";

    /** The label by which a sweep finds pods. */
    public static final String MANAGED_LABEL = "app.kubernetes.io/managed-by";

    public static final String MANAGED = "paddock";

    /** The annotation that names a pod's owner; the value is not valid as a label. */
    public static final String OWNER = "dev.paddock/owner";

    /** The user of pods whose worktree belongs to root or is not shared. */
    public static final long DEFAULT_USER = 65_532;

    private static final String SPACE = "1Gi";

    /**
     * The main process waits for end of input, which comes when the client exits. As PID 1 of its namespace it cannot
     * be killed or stopped from inside, although commands run as its user. Any other line makes it fork and wait for a
     * child, which reaps every exited orphan, and answer.
     */
    static final List<String> KEEP_ALIVE = List.of(
            "sh",
            "-c",
            "trap '' HUP INT QUIT TERM USR1 USR2 PIPE ALRM;"
                    + " while read -r line && [ \"$line\" != end ]; do (:); echo; done");

    /**
     * A volume that the host and the pod share.
     *
     * @param claim the name of a PersistentVolumeClaim; empty for a directory of the node
     * @param path the directory inside the claim, or of the node
     */
    public record WorktreeVolume(Optional<String> claim, String path) {}

    /** Returns the pod, in the API's form. */
    public Pod pod() {
        Map<String, String> all = new TreeMap<>(labels);
        all.put(MANAGED_LABEL, MANAGED);
        all.put(NetworkDenial.LABEL, name);
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .withAnnotations(annotations)
                .endMetadata()
                .withSpec(spec().build())
                .build();
    }

    private PodSpecBuilder spec() {
        PodSpecBuilder spec = new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(0L)
                .withActiveDeadlineSeconds(deadline.toSeconds())
                .withNodeSelector(nodeSelector)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(user)
                .withRunAsGroup(user)
                .withFsGroup(user)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withVolumes(volumes());
        runtimeClass.ifPresent(spec::withRuntimeClassName);
        pullSecrets.forEach(secret -> spec.addNewImagePullSecret(secret));
        spec.addNewContainer()
                .withName(CONTAINER)
                .withImage(image)
                .withImagePullPolicy(pullPolicy.orElse(null))
                .withCommand(KEEP_ALIVE)
                .withStdin(true)
                .withStdinOnce(true)
                .withWorkingDir("/")
                .withSecurityContext(new SecurityContextBuilder()
                        .withAllowPrivilegeEscalation(false)
                        .withPrivileged(false)
                        .withReadOnlyRootFilesystem(true)
                        .withRunAsNonRoot(true)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .build())
                .withNewResources()
                .withLimits(quantities())
                .withRequests(quantities())
                .endResources()
                .withVolumeMounts(mounts())
                .endContainer();
        return spec;
    }

    private Map<String, Quantity> quantities() {
        Map<String, Quantity> quantities = new TreeMap<>();
        limits.memoryBytes().ifPresent(bytes -> quantities.put("memory", new Quantity(Long.toString(bytes))));
        limits.cpus().ifPresent(cpus -> quantities.put("cpu", new Quantity(Math.round(cpus * 1000) + "m")));
        return quantities;
    }

    private List<Volume> volumes() {
        List<Volume> volumes = new ArrayList<>(List.of(empty("tmp"), empty("home")));
        volumes.add(worktree.map(shared -> shared.claim()
                        .map(claim -> new VolumeBuilder()
                                .withName("worktree")
                                .withNewPersistentVolumeClaim(claim, false)
                                .build())
                        .orElseGet(() -> new VolumeBuilder()
                                .withName("worktree")
                                .withNewHostPath(shared.path(), "Directory")
                                .build()))
                .orElseGet(() -> empty("worktree")));
        return volumes;
    }

    private static Volume empty(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .withSizeLimit(new Quantity(SPACE))
                .endEmptyDir()
                .build();
    }

    private List<VolumeMount> mounts() {
        VolumeMountBuilder work = new VolumeMountBuilder().withName("worktree").withMountPath(workDirectory);
        worktree.filter(shared -> shared.claim().isPresent() && !shared.path().isEmpty())
                .ifPresent(shared -> work.withSubPath(shared.path()));
        return List.of(
                new VolumeMountBuilder().withName("tmp").withMountPath("/tmp").build(),
                new VolumeMountBuilder()
                        .withName("home")
                        .withMountPath(Mount.HOME)
                        .build(),
                work.build());
    }
}
