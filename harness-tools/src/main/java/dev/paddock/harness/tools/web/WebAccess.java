package dev.paddock.harness.tools.web;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the tool {@code web_fetch} may reach. It asks from the host, for a model that may have read anything: so it reaches public
 * addresses alone, unless a host is named here.
 *
 * <p>Of a host that is not named, every address is looked at before each request, those after a redirect included, and one that
 * is not public refuses them all. Over http the request goes to an address that was looked at; over https the name may be looked
 * up once more by the platform, and a server has to prove the name by its certificate before it is asked anything.
 *
 * @param internalHosts hosts whose addresses may be any: names and literal addresses as they stand in a URL, without a port; none
 *     by default
 * @param timeout for a whole fetch, redirects included: more than zero, at most 5 minutes; 30 seconds by default
 * @param maxBytes how much of a page is read, the rest being left; 1 to 64 MiB, 4 MiB by default
 */
public record WebAccess(Set<String> internalHosts, Duration timeout, int maxBytes) {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int MOST_BYTES = 64 << 20;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public WebAccess {
        internalHosts = internalHosts.stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        for (String host : internalHosts) {
            if (host.isBlank() || host.contains("/") || (host.contains(":") && !host.startsWith("["))) {
                throw new IllegalArgumentException(
                        "an internal host is a name or an address as in a URL, without a port"
                                + " and an IPv6 address in brackets: '" + host + "'");
            }
        }
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout is not more than 0 and at most 5 minutes: " + timeout);
        }
        if (maxBytes < 1 || maxBytes > MOST_BYTES) {
            throw new IllegalArgumentException("maxBytes is not within 1 and " + MOST_BYTES + ": " + maxBytes);
        }
    }

    /**
     * Public addresses alone, 30 seconds, 4 MiB.
     *
     * @return the defaults
     */
    public static WebAccess standard() {
        return new WebAccess(Set.of(), Duration.ofSeconds(30), 4 << 20);
    }

    /**
     * With further hosts whose addresses may be any.
     *
     * @param hosts names and literal addresses as they stand in a URL
     * @return the changed value
     */
    public WebAccess allowingInternal(Collection<String> hosts) {
        Set<String> all = new TreeSet<>(internalHosts);
        all.addAll(hosts);
        return new WebAccess(all, timeout, maxBytes);
    }

    /**
     * With another time limit.
     *
     * @param value more than zero, at most 5 minutes
     * @return the changed value
     */
    public WebAccess withTimeout(Duration value) {
        return new WebAccess(internalHosts, value, maxBytes);
    }

    /**
     * With another size limit.
     *
     * @param value bytes, 1 to 64 MiB
     * @return the changed value
     */
    public WebAccess withMaxBytes(int value) {
        return new WebAccess(internalHosts, timeout, value);
    }
}
