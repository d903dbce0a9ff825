package dev.paddock.executor.policy;

import java.util.List;

/**
 * The part of the network that a command can reach. Later releases may add kinds: a {@code switch}
 * needs a {@code default} branch, which refuses the policy.
 */
public sealed interface NetworkPolicy {

    /**
     * Returns the policy that allows no network: no TCP, UDP, DNS or ICMP, not the host's loopback,
     * no unix socket outside the grant.
     *
     * @return the policy
     */
    static NetworkPolicy off() {
        return Off.INSTANCE;
    }

    /**
     * Returns the policy that allows IP without restriction, and nothing else.
     *
     * @return the policy
     */
    static NetworkPolicy open() {
        return Open.INSTANCE;
    }

    /**
     * Returns the policy that allows only some hosts. Reserved: every backend refuses it for now.
     *
     * @param hosts host names
     * @return the policy
     */
    static NetworkPolicy allow(List<String> hosts) {
        return new Allow(hosts);
    }

    /**
     * Parses a policy in the form of the command line.
     *
     * @param text {@code off} or {@code open}
     * @return the policy
     * @throws IllegalArgumentException for anything else
     */
    static NetworkPolicy parse(String text) {
        return switch (text) {
            case "off" -> off();
            case "open" -> open();
            default -> throw new IllegalArgumentException("the network is 'off' or 'open', not '" + text + "'");
        };
    }

    /** No network. */
    enum Off implements NetworkPolicy {
        /** The only instance. */
        INSTANCE
    }

    /** All of the network. */
    enum Open implements NetworkPolicy {
        /** The only instance. */
        INSTANCE
    }

    /**
     * Only some hosts. Reserved.
     *
     * @param hosts host names, at least one: an empty list is no way to say "all"
     */
    record Allow(List<String> hosts) implements NetworkPolicy {
        /**
         * Creates a policy.
         *
         * @throws IllegalArgumentException if the list is empty
         */
        public Allow {
            if (hosts.isEmpty()) {
                throw new IllegalArgumentException("the list of allowed hosts is empty; say 'off' or 'open' instead");
            }
            hosts = List.copyOf(hosts);
        }
    }
}
