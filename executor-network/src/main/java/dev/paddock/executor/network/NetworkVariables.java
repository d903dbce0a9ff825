package dev.paddock.executor.network;

import dev.paddock.executor.network.proxy.OfferedProxy;
import dev.paddock.executor.policy.NetworkPolicy;
import java.util.Map;
import java.util.TreeMap;

/** Environment variables that adapt programs to the network. The policy's variables override them. */
public final class NetworkVariables {
    /** Without a network, retries are useless, and npm's two take 70 s. */
    private static final Map<String, String> NO_RETRIES =
            Map.of("npm_config_fetch_retries", "0", "PIP_RETRIES", "0", "CARGO_NET_RETRY", "0");

    /** A denied host refuses again: npm still tries three times, in 4 s instead of 70. */
    private static final Map<String, String> QUICK_RETRIES =
            Map.of("npm_config_fetch_retry_mintimeout", "500", "npm_config_fetch_retry_maxtimeout", "3000");

    private NetworkVariables() {}

    /**
     * Returns the variables of a network.
     *
     * @param network any policy
     * @return those of the proxy that it offers, and those that make programs retry quickly, or not at all with the
     *     network off
     */
    public static Map<String, String> of(NetworkPolicy network) {
        // Not a switch over types: the JDK would generate its classes at each start.
        if (network instanceof NetworkPolicy.Off) {
            return NO_RETRIES;
        }
        if (!(network instanceof NetworkPolicy.Allow allow)) {
            return Map.of();
        }
        Map<String, String> variables = new TreeMap<>(QUICK_RETRIES);
        if (allow.offersProxy()) {
            variables.putAll(ofProxy(AllowedNetwork.nameServer() + ":" + OfferedProxy.PORT));
        }
        return Map.copyOf(variables);
    }

    /**
     * Returns the variables that name a proxy.
     *
     * @param address its address and port
     */
    public static Map<String, String> ofProxy(String address) {
        return OfferedProxy.variables(address);
    }
}
