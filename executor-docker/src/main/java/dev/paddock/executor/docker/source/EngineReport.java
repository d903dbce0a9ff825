package dev.paddock.executor.docker.source;

import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.EngineProduct;
import java.time.Duration;

/**
 * A usable engine's report about itself, and its time. The engine starts programs to answer, so a probe's report also
 * serves the container that is created right after it.
 */
public final class EngineReport {
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Engine engine;
    private final EngineProduct product;
    private final EngineInfo info;
    private final long at = System.nanoTime();

    private EngineReport(Engine engine, EngineProduct product, EngineInfo info) {
        this.engine = engine;
        this.product = product;
        this.info = info;
    }

    /**
     * Asks an engine.
     *
     * @throws SandboxUnavailableException if the engine does not answer, is neither Docker's nor Podman's, or filters
     *     no system calls
     */
    public static EngineReport of(Engine engine) {
        EngineProduct product = EngineProduct.of(engine);
        EngineInfo info = EngineInfo.of(engine);
        ContainerFilter.obstacle(info).ifPresent(obstacle -> {
            throw new SandboxUnavailableException(Engine.BACKEND, obstacle);
        });
        return new EngineReport(engine, product, info);
    }

    public Engine engine() {
        return engine;
    }

    public EngineProduct product() {
        return product;
    }

    public EngineInfo info() {
        return info;
    }

    /** Returns whether the report is at most 5 seconds old: an engine may be restarted with another configuration. */
    boolean isFresh() {
        return System.nanoTime() - at < FRESH.toNanos();
    }
}
