package dev.paddock.executor.config;

import dev.paddock.executor.policy.NetworkPolicy;
import java.util.Collection;
import java.util.List;

/**
 * A network of allowed hosts with unresolved groups, stored as text. The methods throw
 * IllegalArgumentException with the reason.
 *
 * @param items hosts and groups, as {@link HostGroup#item} returns them
 * @param isThroughHostProxy whether the hosts are reached through the host's proxy
 * @param offersProxy whether commands have the variables of a proxy
 */
record HostList(List<String> items, boolean isThroughHostProxy, boolean offersProxy) {
    private static final String ALLOW = "allow ";
    private static final String THROUGH_PROXY = "proxy=host ";
    private static final String OFFERS_PROXY = "proxy=offered ";

    HostList {
        if (items.isEmpty()) {
            throw new IllegalArgumentException("the list of allowed hosts is empty; say 'off' or 'open' instead");
        }
        items = items.stream().map(HostGroup::item).toList();
    }

    private static HostList parse(String network) {
        String rest = network.substring(ALLOW.length());
        boolean isThrough = rest.startsWith(THROUGH_PROXY);
        rest = isThrough ? rest.substring(THROUGH_PROXY.length()) : rest;
        boolean offers = rest.startsWith(OFFERS_PROXY);
        rest = offers ? rest.substring(OFFERS_PROXY.length()) : rest;
        return new HostList(List.of(rest.split(" ", -1)), isThrough, offers);
    }

    /** Returns the canonical text. */
    String text() {
        return ALLOW
                + (isThroughHostProxy ? THROUGH_PROXY : "")
                + (offersProxy ? OFFERS_PROXY : "")
                + String.join(" ", items);
    }

    /** Checks a network, possibly of allowed hosts, and returns its canonical text. */
    static String check(String network) {
        return network.startsWith(ALLOW)
                ? parse(network).text()
                : NetworkPolicy.parse(network).text();
    }

    /** Returns a network, with the hosts of its groups. */
    static NetworkPolicy resolve(String network, Collection<HostGroup> groups) {
        if (!network.startsWith(ALLOW)) {
            return NetworkPolicy.parse(network);
        }
        HostList list = parse(network);
        NetworkPolicy.Allow allowed = NetworkPolicy.allow(list.items.stream()
                .flatMap(item -> HostGroup.rules(item, groups).stream())
                .toList());
        allowed = list.isThroughHostProxy ? allowed.throughHostProxy() : allowed;
        return list.offersProxy ? allowed.withProxyVariables() : allowed;
    }
}
