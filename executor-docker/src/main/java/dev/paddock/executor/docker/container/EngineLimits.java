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
        return new EngineLimits(
                answer.path("MemoryLimit").asBoolean(),
                answer.path("SwapLimit").asBoolean(),
                answer.path("CpuCfsQuota").asBoolean(),
                answer.path("PidsLimit").asBoolean());
    }
}
