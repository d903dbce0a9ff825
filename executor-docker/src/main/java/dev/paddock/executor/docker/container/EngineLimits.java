package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The resource limits that an engine reports it can enforce. One that the engine does not
 * mention counts as missing.
 *
 * @param memory whether a limit on memory is enforced
 * @param swap whether that limit includes swap
 * @param cpus whether a limit on processors is enforced
 * @param processes whether a limit on the number of processes is enforced
 */
public record EngineLimits(boolean memory, boolean swap, boolean cpus, boolean processes) {

    /** Reads the engine's answer about its kernel. */
    static EngineLimits of(JsonNode answer) {
        // Podman as an ordinary user reports the kernel's limits, of which it ignores those that it may not set.
        boolean isReliable = !answer.path("Rootless").asBoolean();
        return new EngineLimits(
                isReliable && answer.path("MemoryLimit").asBoolean(),
                isReliable && answer.path("SwapLimit").asBoolean(),
                isReliable && answer.path("CpuCfsQuota").asBoolean(),
                isReliable && answer.path("PidsLimit").asBoolean());
    }
}
