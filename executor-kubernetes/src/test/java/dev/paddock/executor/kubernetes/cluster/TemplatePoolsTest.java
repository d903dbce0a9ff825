package dev.paddock.executor.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class TemplatePoolsTest {
    private static final List<GenericKubernetesResource> POOLS =
            List.of(pool("empty", "java", 0), pool("full", "java", 2), pool("other", "python", 9));

    private static GenericKubernetesResource pool(String name, String template, int ready) {
        return Serialization.unmarshal("""
                metadata: {name: %s}
                spec: {replicas: 2, sandboxTemplateRef: {name: %s}}
                status: {readyReplicas: %d}
                """.formatted(name, template, ready), GenericKubernetesResource.class);
    }

    @Test
    void fullestPoolOfTemplateIsClaimed() {
        TemplatePools pools = new TemplatePools("agents", "java", POOLS);
        assertThat(pools.fullest()).isEqualTo("full");
        assertThat(pools).hasToString("2 of 4 sandboxes ready in the pool of the template 'java'");
    }

    /** Of a pool's name, too: a claim names a template. */
    @Test
    void templateWithoutPoolIsRefusedWithThoseThatHaveOne() {
        TemplatePools pools = new TemplatePools("agents", "full", POOLS);
        assertThatExceptionOfType(SandboxUnavailableException.class)
                .isThrownBy(pools::fullest)
                .satisfies(refused -> {
                    assertThat(refused.reason())
                            .isEqualTo("the template 'full' has no SandboxWarmPool in the namespace 'agents', which"
                                    + " agent-sandbox v1beta1 requires");
                    assertThat(refused.remedy()).endsWith("or claim a template that has a pool: java, python.");
                });
        assertThat(pools).hasToString("without a pool for the template 'full'");
    }
}
