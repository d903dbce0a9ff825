package dev.paddock.executor.policy;

import java.math.BigInteger;
import java.util.List;

/**
 * The part of the network that a command can reach. Later releases may add kinds: a {@code switch}
 * needs a {@code default} branch, which refuses the policy.
 *
 * @since 0.1
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
     * Returns the policy that allows only some hosts, each on some ports: TCP to them, and the
     * lookup of their names.
     *
     * @param rules such as {@code example.org} or {@code *.example.org:8443}: {@link HostRule}
     * @return the policy
     * @throws IllegalArgumentException if there is no rule, or one is not of the form
     */
    static Allow allow(List<String> rules) {
        return new Allow(rules.stream().map(HostRule::parse).toList(), false, false);
    }

    /**
     * Returns the policy that allows only some hosts, each on some ports.
     *
     * @param rules such as {@code example.org} or {@code *.example.org:8443}: {@link HostRule}
     * @return the policy
     * @throws IllegalArgumentException if there is no rule, or one is not of the form
     */
    static Allow allow(String... rules) {
        return allow(List.of(rules));
    }

    /**
     * Parses a policy.
     *
     * @param text {@code off}, {@code open}, or {@code allow} followed by rules, separated by spaces,
     *     optionally preceded by {@code proxy=host} and {@code proxy=offered}, in this order
     * @return the policy
     * @throws IllegalArgumentException for anything else
     */
    static NetworkPolicy parse(String text) {
        if (text.startsWith("allow ")) {
            return Allow.parse(text.substring("allow ".length()));
        }
        return switch (text) {
            case "off" -> off();
            case "open" -> open();
            default ->
                throw new IllegalArgumentException(
                        "the network is 'off', 'open' or 'allow' with hosts, not '" + text + "'");
        };
    }

    /**
     * Returns whether another policy allows all that this one does. Ports of the machine's loopback are allowed
     * only by a rule that names them: an open network need not include them, since a container has its own loopback.
     *
     * @param other the other policy
     * @return whether nothing is left that only this one allows
     */
    default boolean isWithin(NetworkPolicy other) {
        if (this instanceof Off) {
            return true;
        }
        if (other instanceof Open) {
            return !(this instanceof Allow own) || own.rules().stream().noneMatch(HostRule::isLoopback);
        }
        return this instanceof Allow own && other instanceof Allow wide && own.isWithin(wide);
    }

    /**
     * Returns the policy as {@link #parse} reads it.
     *
     * @return the text
     */
    String text();

    /** No network. */
    enum Off implements NetworkPolicy {
        /** The only instance. */
        INSTANCE;

        @Override
        public String text() {
            return "off";
        }
    }

    /** All of the network. */
    enum Open implements NetworkPolicy {
        /** The only instance. */
        INSTANCE;

        @Override
        public String text() {
            return "open";
        }
    }

    /**
     * Only some hosts.
     *
     * @param rules the hosts, at least one: an empty list does not mean "all"
     * @param isThroughHostProxy whether they are reached through the proxy that the host's {@code
     *     HTTPS_PROXY} names; false by default
     * @param offersProxy whether commands also get the variables of a proxy; false by default
     */
    record Allow(List<HostRule> rules, boolean isThroughHostProxy, boolean offersProxy) implements NetworkPolicy {
        private static final String THROUGH_PROXY = "proxy=host ";
        private static final String OFFERS_PROXY = "proxy=offered ";

        private static Allow parse(String text) {
            boolean isThrough = text.startsWith(THROUGH_PROXY);
            String rest = isThrough ? text.substring(THROUGH_PROXY.length()) : text;
            boolean offers = rest.startsWith(OFFERS_PROXY);
            List<HostRule> rules = allow((offers ? rest.substring(OFFERS_PROXY.length()) : rest).split(" ", -1))
                    .rules();
            return new Allow(rules, isThrough, offers);
        }

        /**
         * Creates a policy.
         *
         * @throws IllegalArgumentException if the list is empty
         */
        public Allow {
            if (rules.isEmpty()) {
                throw new IllegalArgumentException("the list of allowed hosts is empty; say 'off' or 'open' instead");
            }
            rules = List.copyOf(rules);
        }

        /**
         * Returns the rules as people write them.
         *
         * @return an unmodifiable list, in the order of the rules
         */
        public List<String> hosts() {
            return rules.stream().map(HostRule::toString).toList();
        }

        /**
         * Returns this policy with the hosts reached through the proxy that the host's {@code HTTPS_PROXY}
         * names, except those in its {@code NO_PROXY}. The proxy resolves their names, so that their
         * addresses are not checked, and a rule's permission for private ones has no effect.
         *
         * @return the policy
         */
        public Allow throughHostProxy() {
            return new Allow(rules, true, offersProxy);
        }

        /**
         * Returns this policy with an additional proxy for programs that want one (HTTP, {@code CONNECT} and SOCKS5),
         * and with the variables that name it, such as {@code HTTPS_PROXY} and {@code ALL_PROXY}. The proxy reaches
         * the allowed hosts; programs that ignore it reach them, too.
         *
         * @return the policy
         */
        public Allow withProxyVariables() {
            return new Allow(rules, isThroughHostProxy, true);
        }

        private boolean isWithin(Allow wide) {
            return isThroughHostProxy == wide.isThroughHostProxy
                    && rules.stream().allMatch(rule -> wide.rules.stream().anyMatch(rule::isWithin))
                    && wide.rules.stream().allMatch(this::isWithinBound);
        }

        /** Returns whether the rules within another rule's byte bound allow no more bytes in total. */
        private boolean isWithinBound(HostRule wide) {
            BigInteger all = rules.stream()
                    .distinct()
                    .filter(rule -> rule.mostBytes().isPresent() && rule.isWithin(wide))
                    .map(rule -> BigInteger.valueOf(rule.mostBytes().getAsLong()))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            return wide.mostBytes().isEmpty()
                    || all.compareTo(BigInteger.valueOf(wide.mostBytes().getAsLong())) <= 0;
        }

        @Override
        public String text() {
            return "allow " + (isThroughHostProxy ? THROUGH_PROXY : "") + (offersProxy ? OFFERS_PROXY : "")
                    + String.join(" ", hosts());
        }
    }
}
