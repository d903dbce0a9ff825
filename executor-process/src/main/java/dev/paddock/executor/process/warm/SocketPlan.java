package dev.paddock.executor.process.warm;

import dev.paddock.executor.os.posix.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Sockets of a network namespace, all of IPv4. The address of an interface needs {@code
 * CAP_NET_ADMIN} in the namespace, and a port below 1024 {@code CAP_NET_BIND_SERVICE} where the
 * namespace's {@code ip_unprivileged_port_start} has not been lowered.
 *
 * @param alias a further address of the loopback interface, which it is given first
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
     * @param isStream whether it is one of TCP; otherwise of UDP
     * @param name what it is bound to; empty for one that is to connect
     */
    public record Binding(boolean isStream, Optional<InetSocketAddress> name) {

        /**
         * Creates a bound socket.
         *
         * @param isStream whether it is one of TCP; otherwise of UDP
         * @param name what it is bound to
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
     * Returns the plan of sockets of TCP that are to connect.
     *
     * @param count how many
     * @return the plan
     */
    public static SocketPlan unbound(int count) {
        return new SocketPlan(Optional.empty(), Collections.nCopies(count, new Binding(true, Optional.empty())));
    }

    /** Returns the sockets' types by the kernel's numbers, in their order. */
    List<Integer> types() {
        return bindings.stream()
                .map(binding -> binding.isStream() ? Sockets.STREAM : Sockets.DATAGRAM)
                .toList();
    }

    /** Gives the loopback its address and binds the sockets, which are the plan's in its order. */
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
