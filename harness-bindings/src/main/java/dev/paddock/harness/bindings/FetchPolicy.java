package dev.paddock.harness.bindings;

import dev.paddock.harness.tools.web.WebAccess;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Which hosts guest code may fetch from. The host sends the requests: a guest has no network.
 *
 * @param hosts names in lower case; one also stands for the names below it. None blocks every fetch.
 * @param access which addresses of theirs may be reached, public ones alone by default, how long a
 *     fetch may take, and how many bytes of an answer are read
 */
public record FetchPolicy(List<String> hosts, WebAccess access) {
    private static final FetchPolicy BLOCKED = new FetchPolicy(List.of(), WebAccess.standard());

    /**
     * Creates a policy.
     *
     * @throws IllegalArgumentException if a host is no name, such as one with a scheme, a port or a
     *     star
     */
    public FetchPolicy {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        for (String host : hosts) {
            if (!host.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?")) {
                throw new IllegalArgumentException("an allowed host is a name such as example.org, without a scheme,"
                        + " a port or a star, and stands for the names below it too: '" + host + "'");
            }
        }
    }

    /**
     * Returns the policy that blocks every fetch.
     *
     * @return the same value on each call
     */
    public static FetchPolicy blocked() {
        return BLOCKED;
    }

    /**
     * Returns the policy that allows some hosts and the names below them.
     *
     * @param hosts their names
     * @return the policy
     */
    public static FetchPolicy hosts(Collection<String> hosts) {
        return new FetchPolicy(List.copyOf(hosts), WebAccess.standard());
    }

    /**
     * Returns this policy with other rules for addresses, time and size.
     *
     * @param value the rules
     * @return the policy
     */
    public FetchPolicy access(WebAccess value) {
        return new FetchPolicy(hosts, value);
    }

    /**
     * Returns whether a host may be fetched from.
     *
     * @param host its name
     * @return true if it is named, or below a name
     */
    public boolean allows(String host) {
        String folded = host.toLowerCase(Locale.ROOT);
        return hosts.stream().anyMatch(name -> folded.equals(name) || folded.endsWith("." + name));
    }
}
