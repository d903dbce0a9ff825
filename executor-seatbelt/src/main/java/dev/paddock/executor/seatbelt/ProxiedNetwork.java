package dev.paddock.executor.seatbelt;

import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.network.NetworkVariables;
import dev.paddock.executor.policy.NetworkPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/**
 * An executor's network of allowed hosts: a proxy in the JVM on one loopback port, the
 * only port that the profile allows, and the variables that name it.
 *
 * @param served decides, connects and reports
 * @param proxy the proxy's address
 */
record ProxiedNetwork(AllowedNetwork served, InetSocketAddress proxy) implements AutoCloseable {

    /**
     * Serves the network of a policy.
     *
     * @return empty if it has no allowed hosts; the caller closes it
     * @throws IOException if no port can be opened
     */
    static Optional<ProxiedNetwork> of(NetworkPolicy policy) throws IOException {
        if (!(policy instanceof NetworkPolicy.Allow allow)) {
            return Optional.empty();
        }
        AllowedNetwork network = new AllowedNetwork(allow);
        boolean done = false;
        try {
            ProxiedNetwork proxied = new ProxiedNetwork(network, network.serveProxy());
            done = true;
            return Optional.of(proxied);
        } finally {
            if (!done) {
                network.close();
            }
        }
    }

    int port() {
        return proxy.getPort();
    }

    String address() {
        return proxy.getAddress().getHostAddress() + ":" + port();
    }

    /** Returns the variables of commands that name the proxy. */
    Map<String, String> variables() {
        return NetworkVariables.ofProxy(address());
    }

    /** Returns Java's proxy options, since Java ignores the variables. */
    String javaOptions() {
        String host = proxy.getAddress().getHostAddress();
        return "-Dhttp.proxyHost=" + host + " -Dhttp.proxyPort=" + port() + " -Dhttps.proxyHost=" + host
                + " -Dhttps.proxyPort=" + port();
    }

    @Override
    public void close() {
        served.close();
    }
}
