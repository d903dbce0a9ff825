package dev.paddock.executor.docker.source;

import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.warm.ForeignSockets;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens sockets in a container's network namespace. Root joins it; for other users a {@link SocketSidecar} does.
 *
 * @param container its id
 * @param sidecars creates a sidecar, for one use
 */
record ContainerSockets(Engine engine, String container, Supplier<SocketSidecar> sidecars)
        implements AllowedNetwork.SocketSource {

    @Override
    public List<Integer> open(SocketPlan plan) throws IOException {
        return isRoot() ? openAsRoot(plan) : sidecars.get().open(container, plan);
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private List<Integer> openAsRoot(SocketPlan plan) throws IOException {
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
            return ForeignSockets.open(process, plan);
        }
    }
}
