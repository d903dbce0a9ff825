package dev.paddock.executor.docker.source;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.process.table.PidfdProcess;
import dev.paddock.executor.process.warm.ForeignSockets;
import dev.paddock.executor.sandbox.network.AllowedNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the network of allowed hosts in a container that has no other: from the outside, by sockets
 * in the container's network namespace. Root joins it to open them; for other users a {@link
 * SocketSidecar} does.
 */
public final class ContainerNetwork implements AutoCloseable {
    private final AllowedNetwork network;
    private Runnable served = () -> {};

    ContainerNetwork(NetworkPolicy.Allow policy, ExecutorOptions observed) {
        network = new AllowedNetwork(policy);
        network.register(observed);
    }

    /**
     * Returns why allowed hosts cannot be served in the containers of an engine.
     *
     * @param info the engine's report, if it has been asked
     * @param runtime the containers' runtime; empty for the engine's default
     * @return the reason; empty if nothing is known to prevent it
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
     * @param sidecar opens the sockets if this user may not join the container's network
     * @throws IOException if its network cannot be joined
     */
    void serve(Engine engine, String container, SocketSidecar sidecar) throws IOException {
        stop();
        served = isRoot() ? serveAsRoot(engine, container) : network.serve(plan -> sidecar.open(container, plan));
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private Runnable serveAsRoot(Engine engine, String container) throws IOException {
        long pid = engine.ask("/containers/" + container + "/json")
                .map(seen -> seen.path("State").path("Pid").asLong())
                .orElse(0L);
        if (pid <= 0) {
            throw new IOException("the engine does not report the container's process");
        }
        try (PidfdProcess process =
                PidfdProcess.open(pid).orElseThrow(() -> new IOException("process " + pid + " does not exist"))) {
            // If the engine runs in a virtual machine, that pid is another process of this machine.
            if (!Files.readString(Path.of("/proc/" + pid + "/cgroup")).contains(container)) {
                throw new IOException("process " + pid + " of this machine is not the container's: the engine runs"
                        + " elsewhere, in a virtual machine perhaps");
            }
            return network.serve(plan -> ForeignSockets.open(process, plan));
        }
    }

    /** Stops serving the current container. */
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
