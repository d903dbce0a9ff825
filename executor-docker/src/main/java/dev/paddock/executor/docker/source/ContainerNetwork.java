package dev.paddock.executor.docker.source;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.policy.NetworkPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the network of allowed hosts in a container that has no other, from the outside, by {@link ContainerSockets}.
 */
public final class ContainerNetwork implements AutoCloseable {
    private final AllowedNetwork network;
    private Runnable served = () -> {};

    ContainerNetwork(NetworkPolicy.Allow policy, ExecutorOptions observed) {
        network = new AllowedNetwork(policy);
        network.register(observed);
    }

    /**
     * Returns why allowed hosts cannot be served in an engine's containers.
     *
     * @param info the engine's report, if it has been asked
     * @param runtime the containers' runtime; empty for the engine's default
     * @return the reason; empty if no obstacle is known
     */
    public static Optional<String> obstacle(Engine engine, Optional<EngineInfo> info, Optional<String> runtime) {
        if (!System.getProperty("os.name", "").equals("Linux") || !engine.isLocal()) {
            return Optional.of("the engine at " + engine.where() + " is not this machine's own");
        }
        if (info.filter(report -> !report.isOnThisKernel()).isPresent()) {
            return Optional.of("the engine at " + engine.where() + " runs on another kernel, in a virtual machine");
        }
        if (!ContainerFilter.binds(runtime)) {
            return runtime.map(name -> "the runtime '" + name + "' has a network of its own, not this kernel's");
        }
        return AllowedNetwork.obstacle();
    }

    /**
     * Serves a new container, before its first command.
     *
     * @param sockets opens the sockets
     * @throws IOException if its network cannot be joined
     */
    void serve(AllowedNetwork.SocketSource sockets) throws IOException {
        stop();
        served = network.serve(sockets);
    }

    /** Refuses published ports that this network occupies. */
    void requireFree(SpawnOptions options) {
        network.requireFree(Engine.BACKEND, options);
    }

    void stop() {
        served.run();
        served = () -> {};
    }

    /** Starts recording the connections that commands are denied. */
    Supplier<List<String>> observe() {
        return network.observe();
    }

    @Override
    public void close() {
        stop();
        network.close();
    }
}
