package dev.paddock.executor.process.warm;

import dev.paddock.executor.os.posix.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Sockets of a network namespace, all IPv4. The address of an interface needs {@code CAP_NET_ADMIN} in the namespace; a
 * port below 1024 needs {@code CAP_NET_BIND_SERVICE}, unless the namespace's {@code ip_unprivileged_port_start} is
 * lower.
 *
 * @param alias a further address of the loopback interface, assigned first
 * @param bindings the sockets, at least one
 * @since 0.1
 */
public record SocketPlan(Optional<Alias> alias, List<Binding> bindings) {

    /**
     * A further address of an interface.
     *
     * @param label of the address, such as {@code lo:1}
     * @param address the address
     * @param mask of its network
     */
    public record Alias(String label, InetAddress address, InetAddress mask) {}

    /**
     * A socket.
     *
     * @param isStream TCP if true, otherwise UDP
     * @param name the address to bind; empty for a socket that connects
     */
    public record Binding(boolean isStream, Optional<InetSocketAddress> name) {

        /**
         * Creates a bound socket.
         *
         * @param isStream TCP if true, otherwise UDP
         * @param name the address to bind
         */
        public Binding(boolean isStream, InetSocketAddress name) {
            this(isStream, Optional.of(name));
        }
    }

    /** Creates a plan. */
    public SocketPlan {
        bindings = List.copyOf(bindings);
    }

    /**
     * Returns a plan of TCP sockets that will connect.
     *
     * @param count how many
     * @return the plan
     */
    public static SocketPlan unbound(int count) {
        return new SocketPlan(Optional.empty(), Collections.nCopies(count, new Binding(true, Optional.empty())));
    }

    /** Returns the sockets' types by the kernel's numbers, in order. */
    List<Integer> types() {
        return bindings.stream()
                .map(binding -> binding.isStream() ? Sockets.STREAM : Sockets.DATAGRAM)
                .toList();
    }

    /** Assigns the loopback address and binds the sockets, which are in the plan's order. */
    void prepare(Sockets calls, List<Integer> sockets) throws IOException {
        if (alias.isPresent()) {
            Alias further = alias.get();
            calls.addAddress(sockets.get(0), further.label(), further.address(), further.mask());
        }
        for (int index = 0; index < sockets.size(); index++) {
            Optional<InetSocketAddress> name = bindings.get(index).name();
            if (name.isPresent()) {
                calls.bind(sockets.get(index), name.get());
            }
        }
    }
}
