package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.model.Info;

/**
 * The resource limits that an engine reports to be able to enforce. One that the engine does not
 * mention counts as missing.
 *
 * @param memory whether a limit on memory is enforced
 * @param swap whether that limit includes swap
 * @param cpus whether a limit on processors is enforced
 * @param processes whether a limit on the number of processes is enforced
 */
public record EngineLimits(boolean memory, boolean swap, boolean cpus, boolean processes) {

    /** Returns the limits that the engine reports about its kernel. */
    public static EngineLimits of(Info engine) {
        return new EngineLimits(
                Boolean.TRUE.equals(engine.getMemoryLimit()),
                Boolean.TRUE.equals(engine.getSwapLimit()),
                Boolean.TRUE.equals(engine.getCpuCfsQuota()),
                Boolean.TRUE.equals(engine.getRawValues().get("PidsLimit")));
    }
}
