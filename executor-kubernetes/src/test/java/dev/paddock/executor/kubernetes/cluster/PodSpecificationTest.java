package dev.paddock.executor.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ResourceLimits;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodSpecificationTest {
    private static PodSpecification specification(Optional<PodSpecification.WorktreeVolume> volume) {
        return new PodSpecification(
                "paddock-1",
                "debian:bookworm",
                Optional.of("Never"),
                Map.of("team", "x"),
                Map.of(PodSpecification.OWNER, "someone"),
                volume,
                "/work",
                1000,
                ResourceLimits.none().withMemory(64 << 20).withCpus(1.5),
                Optional.of("gvisor"),
                List.of("registry"),
                Map.of("disk", "ssd"),
                Duration.ofHours(1));
    }

    /** The whole of it, in order: what is granted is seen here. */
    @Test
    void grantsNothingThatIsNotListed() {
        assertThat(Serialization.asYaml(specification(Optional.empty()).pod())).isEqualTo("""
                ---
                apiVersion: "v1"
                kind: "Pod"
                metadata:
                  annotations:
                    dev.paddock/owner: "someone"
                  labels:
                    app.kubernetes.io/managed-by: "paddock"
                    dev.paddock/pod: "paddock-1"
                    team: "x"
                  name: "paddock-1"
                spec:
                  activeDeadlineSeconds: 3600
                  automountServiceAccountToken: false
                  containers:
                  - command:
                    - "sh"
                    - "-c"
                    - "trap '' HUP INT QUIT TERM USR1 USR2 PIPE ALRM; while read -r line && [ \\"$line\\"\\
                      \\ != end ]; do (:); echo; done"
                    image: "debian:bookworm"
                    imagePullPolicy: "Never"
                    name: "commands"
                    resources:
                      limits:
                        cpu: "1500m"
                        memory: "67108864"
                      requests:
                        cpu: "1500m"
                        memory: "67108864"
                    securityContext:
                      allowPrivilegeEscalation: false
                      capabilities:
                        drop:
                        - "ALL"
                      privileged: false
                      readOnlyRootFilesystem: true
                      runAsNonRoot: true
                    stdin: true
                    stdinOnce: true
                    volumeMounts:
                    - mountPath: "/tmp"
                      name: "tmp"
                    - mountPath: "/home/paddock"
                      name: "home"
                    - mountPath: "/work"
                      name: "worktree"
                    workingDir: "/"
                  enableServiceLinks: false
                  imagePullSecrets:
                  - name: "registry"
                  nodeSelector:
                    disk: "ssd"
                  restartPolicy: "Never"
                  runtimeClassName: "gvisor"
                  securityContext:
                    fsGroup: 1000
                    runAsGroup: 1000
                    runAsNonRoot: true
                    runAsUser: 1000
                    seccompProfile:
                      type: "RuntimeDefault"
                  terminationGracePeriodSeconds: 0
                  volumes:
                  - emptyDir:
                      sizeLimit: "1Gi"
                    name: "tmp"
                  - emptyDir:
                      sizeLimit: "1Gi"
                    name: "home"
                  - emptyDir:
                      sizeLimit: "1Gi"
                    name: "worktree"
                """);
    }

    @Test
    void sharesWorktreeByClaim() {
        String text = Serialization.asYaml(
                specification(Optional.of(new PodSpecification.WorktreeVolume(Optional.of("trees"), "a/b")))
                        .pod());
        assertThat(text).contains("claimName: \"trees\"", "subPath: \"a/b\"").doesNotContain("hostPath");
    }
}
