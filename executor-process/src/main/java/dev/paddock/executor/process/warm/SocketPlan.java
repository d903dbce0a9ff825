package dev.paddock.executor.process.warm;

import dev.paddock.executor.process.posix.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The sockets that serve a network namespace, all of IPv4. The address of an interface needs {@code
 * CAP_NET_ADMIN} in the namespace, and a port below 1024 {@code CAP_NET_BIND_SERVICE} where the
 * namespace's {@code ip_unprivileged_port_start} has not been lowered.
 *
 * @param label of the interface's further address, such as {@code lo:1}
 * @param address the address
 * @param mask of its network
 * @param bindings the sockets, at least one
 * @since 0.1
 */
public record SocketPlan(String label, InetAddress address, InetAddress mask, List<Binding> bindings) {

    /**
     * A socket.
     *
     * @param isStream whether it is one of TCP; otherwise of UDP
     * @param name what it is bound to
     */
    public record Binding(boolean isStream, InetSocketAddress name) {}

    /** Creates a plan. */
    public SocketPlan {
        bindings = List.copyOf(bindings);
    }

    /** Returns the types of the sockets, as the kernel has them, in their order. */
    List<Integer> types() {
        return bindings.stream()
                .map(binding -> binding.isStream() ? Sockets.STREAM : Sockets.DATAGRAM)
                .toList();
    }

    /** Gives the loopback its address and binds the sockets, which are the plan's in its order. */
    void prepare(Sockets calls, List<Integer> sockets) throws IOException {
        calls.addAddress(sockets.get(0), label, address, mask);
        for (int index = 0; index < sockets.size(); index++) {
            calls.bind(sockets.get(index), bindings.get(index).name());
        }
    }
}
