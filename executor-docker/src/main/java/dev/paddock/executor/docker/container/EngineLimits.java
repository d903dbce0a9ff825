package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The resource limits that an engine reports it can enforce. A missing report counts as unsupported.
 *
 * @param memory whether it limits memory
 * @param swap whether that limit includes swap
 * @param cpus whether it limits processors
 * @param processes whether it limits the number of processes
 */
public record EngineLimits(boolean memory, boolean swap, boolean cpus, boolean processes) {

    /** Reads the engine's answer about its kernel. */
    static EngineLimits of(JsonNode answer) {
        // Podman as an ordinary user reports the kernel's limits, but ignores those that it may not set.
        boolean isReliable = !answer.path("Rootless").asBoolean();
        return new EngineLimits(
                isReliable && answer.path("MemoryLimit").asBoolean(),
                isReliable && answer.path("SwapLimit").asBoolean(),
                isReliable && answer.path("CpuCfsQuota").asBoolean(),
                isReliable && answer.path("PidsLimit").asBoolean());
    }
}
