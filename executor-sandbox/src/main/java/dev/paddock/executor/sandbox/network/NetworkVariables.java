package dev.paddock.executor.sandbox.network;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.sandbox.network.proxy.OfferedProxy;
import java.util.Map;

/** The variables that commands have for the sake of their network. Those of the policy count before them. */
public final class NetworkVariables {
    /** Without a network no second attempt succeeds, and npm makes its second and third after 70 s. */
    private static final Map<String, String> NO_RETRIES =
            Map.of("npm_config_fetch_retries", "0", "PIP_RETRIES", "0", "CARGO_NET_RETRY", "0");

    private NetworkVariables() {}

    /**
     * Returns the variables of a network.
     *
     * @param network any policy
     * @return those of the proxy that it offers; with the network off, those by which programs do not try
     *     again
     */
    public static Map<String, String> of(NetworkPolicy network) {
        // Not a switch over types, for which the JDK generates code at each start.
        if (network instanceof NetworkPolicy.Off) {
            return NO_RETRIES;
        }
        return network instanceof NetworkPolicy.Allow allow && allow.offersProxy()
                ? OfferedProxy.variables(AllowedNetwork.nameServer() + ":" + OfferedProxy.PORT)
                : Map.of();
    }
}
