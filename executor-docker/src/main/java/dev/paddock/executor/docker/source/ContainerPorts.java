package dev.paddock.executor.docker.source;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.network.InsideSockets;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.network.PublishedPorts;
import java.util.List;
import java.util.Optional;

/** Publishes ports of the commands in a container, without the engine's help. */
final class ContainerPorts implements AutoCloseable {
    private final PublishedPorts published = new PublishedPorts();
    private Optional<Inside> inside = Optional.empty();

    private record Inside(String container, InsideSockets sockets) {}

    ContainerPorts(ExecutorOptions observed) {
        published.register(observed);
    }

    Publication publish(ContainerSockets sockets, List<PublishedPort> ports) {
        return published.publish(inside(sockets), ports);
    }

    private synchronized InsideSockets inside(ContainerSockets sockets) {
        if (inside.filter(known -> known.container().equals(sockets.container()))
                .isEmpty()) {
            stop();
            inside = Optional.of(new Inside(sockets.container(), new InsideSockets(sockets)));
        }
        return inside.get().sockets();
    }

    /** Opens no more sockets in the current container. */
    synchronized void stop() {
        inside.ifPresent(known -> known.sockets().close());
        inside = Optional.empty();
    }

    @Override
    public void close() {
        stop();
        published.close();
    }
}
