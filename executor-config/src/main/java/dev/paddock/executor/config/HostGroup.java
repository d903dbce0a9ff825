package dev.paddock.executor.config;

import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Hosts that a user has given a name, which stands for them among allowed hosts as {@code @NAME}. The
 * methods throw IllegalArgumentException with the reason.
 *
 * @param name the name
 * @param rules the hosts, as {@link HostRule} writes them
 */
record HostGroup(String name, List<String> rules) {
    private static final String MARK = "@";
    private static final String ALLOW = "allow ";
    private static final String THROUGH_PROXY = ALLOW + "proxy=host ";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    HostGroup {
        requireName(name);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("the group '" + name + "' has no hosts; name some, or leave it out");
        }
        rules = List.copyOf(rules);
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a group's name is 1 to 64 letters, digits, '.', '_' and '-', not '" + name + "'");
        }
    }

    /** Returns a host, or a reference to a group, in the form in which it is kept. */
    static String item(String text) {
        if (text.startsWith(MARK)) {
            requireName(text.substring(MARK.length()));
            return text;
        }
        return HostRule.parse(text).toString();
    }

    /** Returns a network of such items, which are reached through the host's proxy or directly. */
    static String network(List<String> items, boolean isThroughProxy) {
        if (items.isEmpty()) {
            throw new IllegalArgumentException("the list of allowed hosts is empty; say 'off' or 'open' instead");
        }
        return (isThroughProxy ? THROUGH_PROXY : ALLOW)
                + String.join(" ", items.stream().map(HostGroup::item).toList());
    }

    /** Checks a network whose groups are not known yet. */
    static String check(String network) {
        return network.startsWith(ALLOW)
                ? network(items(network), isThroughProxy(network))
                : NetworkPolicy.parse(network).text();
    }

    private static boolean isThroughProxy(String network) {
        return network.startsWith(THROUGH_PROXY);
    }

    private static List<String> items(String network) {
        String prefix = isThroughProxy(network) ? THROUGH_PROXY : ALLOW;
        return List.of(network.substring(prefix.length()).split(" ", -1));
    }

    /** Returns the network, with the hosts of its groups. */
    static NetworkPolicy resolve(String network, Collection<HostGroup> groups) {
        if (!network.startsWith(ALLOW)) {
            return NetworkPolicy.parse(network);
        }
        List<String> rules = new ArrayList<>();
        for (String item : items(network)) {
            if (item.startsWith(MARK)) {
                rules.addAll(find(item.substring(MARK.length()), groups).rules());
            } else {
                rules.add(item);
            }
        }
        NetworkPolicy.Allow allowed = NetworkPolicy.allow(rules);
        return isThroughProxy(network) ? allowed.throughHostProxy() : allowed;
    }

    private static HostGroup find(String name, Collection<HostGroup> groups) {
        List<String> known = groups.stream().map(HostGroup::name).toList();
        return groups.stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no group of hosts named '" + name + "'"
                        + Spelling.nearest(name, known)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; give it hosts under 'groups' in your own configuration")));
    }
}
