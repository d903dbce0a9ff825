package dev.paddock.executor.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SandboxVersionTest {
    private static GenericKubernetesResource sandbox(String json) {
        return Serialization.unmarshal(json, GenericKubernetesResource.class);
    }

    @ParameterizedTest
    @EnumSource(SandboxVersion.class)
    void patchesAreRecognized(SandboxVersion version) {
        assertThat(version.isSuspended(sandbox(version.suspension()))).isTrue();
        assertThat(version.isSuspended(sandbox(version.resumption()))).isFalse();
        assertThat(version.isSuspended(sandbox("{\"spec\":{}}"))).isFalse();
    }

    @Test
    void patchesAreTheApisOwn() {
        assertThat(SandboxVersion.V1BETA1.suspension()).isEqualTo("{\"spec\":{\"operatingMode\":\"Suspended\"}}");
        assertThat(SandboxVersion.V1ALPHA1.suspension()).isEqualTo("{\"spec\":{\"replicas\":0}}");
    }
}
