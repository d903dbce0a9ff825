package dev.paddock.executor.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A version of agent-sandbox's resources, with its field names. The newest comes first. */
enum SandboxVersion {
    /** A claim names a pool, and a sandbox has an operating mode. */
    V1BETA1("warmPoolRef", "operatingMode", "\"Running\"", "\"Suspended\""),
    /** A claim names a template, and a sandbox has a number of pods. */
    V1ALPHA1("sandboxTemplateRef", "replicas", "1", "0");

    private final String claimed;
    private final String mode;
    private final String running;
    private final String suspended;

    /**
     * Describes a version.
     *
     * @param claimed the field of a claim that names the source of its sandbox
     * @param mode the field of a sandbox whose value, in JSON, is {@code running} or {@code suspended}
     */
    SandboxVersion(String claimed, String mode, String running, String suspended) {
        this.claimed = claimed;
        this.mode = mode;
        this.running = running;
        this.suspended = suspended;
    }

    /** Returns the newest version that the server serves; empty if it serves none of them. */
    static Optional<SandboxVersion> served(KubernetesClient client) {
        APIGroup group = client.getApiGroup(SandboxKind.SANDBOX.group()); // null if the server lacks it
        List<String> names = group == null
                ? List.of()
                : group.getVersions().stream()
                        .map(GroupVersionForDiscovery::getVersion)
                        .toList();
        return Arrays.stream(values())
                .filter(each -> names.contains(each.toString()))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean claimsPools() {
        return this == V1BETA1;
    }

    /**
     * Returns the part of a claim's specification that names the source of its sandbox.
     *
     * @param source the name of a pool, if this version {@linkplain #claimsPools claims pools}, or of a template
     */
    Map<String, Object> claim(String source) {
        return Map.of(claimed, Map.of("name", source));
    }

    boolean isSuspended(GenericKubernetesResource sandbox) {
        return Serialization.asJson(sandbox.get("spec", mode)).equals(suspended);
    }

    /** Returns the merge patch that suspends a sandbox. */
    String suspension() {
        return patch(suspended);
    }

    /** Returns the merge patch that resumes a sandbox. */
    String resumption() {
        return patch(running);
    }

    private String patch(String value) {
        return "{\"spec\":{\"" + mode + "\":" + value + "}}";
    }
}
