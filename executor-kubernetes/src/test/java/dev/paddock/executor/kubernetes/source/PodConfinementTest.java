package dev.paddock.executor.kubernetes.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.sandbox.policy.Violation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodConfinementTest {
    private static final String CONFINED = """
            metadata: {name: box}
            spec:
              containers:
                - name: one
                  securityContext: {readOnlyRootFilesystem: true}
                  resources: {limits: {memory: 64Mi, cpu: 500m}}
              volumes: [{name: tmp, emptyDir: {}}]
            """;

    private static PodConfinement of(String yaml) {
        return PodConfinement.of(Serialization.unmarshal(yaml, Pod.class), "");
    }

    @Test
    void whatSpecificationConfinesIsEnsured() {
        assertThat(of(CONFINED).confined())
                .containsExactlyInAnyOrder(
                        Guarantee.READ_CONFINED,
                        Guarantee.WRITE_CONFINED,
                        Guarantee.UNIX_SOCKETS_OFF,
                        Guarantee.PRIVATE_TMP);
        assertThat(of(CONFINED).isPrivileged()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            emptyDir: {}                 | hostPath: {path: /}
            emptyDir: {}                 | persistentVolumeClaim: {claimName: shared}
            emptyDir: {}                 | secret: {secretName: token}
            emptyDir: {}                 | projected: {sources: []}
            volumes:                     | hostNetwork: true, volumes:
            volumes:                     | hostIPC: true, volumes:
            volumes:                     | hostPID: true, volumes:
            readOnlyRootFilesystem: true | readOnlyRootFilesystem: true, privileged: true
            readOnlyRootFilesystem: true | readOnlyRootFilesystem: true, capabilities: {add: [SYS_ADMIN]}
            """)
    void aPodThatSharesSomethingConfinesNothing(String confined, String shared) {
        assertThat(of(CONFINED.replace(confined, shared.replace(", volumes", "\n  volumes")))
                        .confined())
                .isEmpty();
    }

    @Test
    void withoutReadOnlyRootWritesAreNotConfined() {
        assertThat(of(CONFINED.replace("readOnlyRootFilesystem: true", "runAsUser: 1"))
                        .confined())
                .contains(Guarantee.READ_CONFINED)
                .doesNotContain(Guarantee.WRITE_CONFINED);
    }

    @Test
    void limitIsKeptIfPodsIsAsLow() {
        ResourceLimits asHigh = ResourceLimits.none().withMemory(64 << 20).withCpus(0.5);
        assertThat(of(CONFINED).kept(asHigh)).containsExactlyInAnyOrder(Guarantee.MEMORY_LIMIT, Guarantee.CPU_LIMIT);
        assertThat(of(CONFINED).violations(asHigh)).isEmpty();

        ResourceLimits lower = ResourceLimits.none().withMemory(32 << 20).withCpus(0.25);
        assertThat(of(CONFINED).kept(lower)).isEmpty();
        assertThat(of(CONFINED).violations(lower))
                .extracting(Violation::why)
                .containsExactly("the pod's limit is 67108864 bytes", "the pod's limit is 0.5 CPUs");
        assertThat(of(CONFINED).violations(lower.withDemand(Enforcement.BEST_EFFORT)))
                .isEmpty();
    }

    @Test
    void podWithoutLimitKeepsNone() {
        PodConfinement unlimited = of(CONFINED.replace("limits: {memory: 64Mi, cpu: 500m}", "requests: {cpu: 1}"));
        assertThat(unlimited.violations(ResourceLimits.none().withCpus(1)))
                .extracting(Violation::why)
                .containsExactly("the pod has no such limit");
        assertThat(unlimited.memoryLimit()).isEmpty();
    }
}
