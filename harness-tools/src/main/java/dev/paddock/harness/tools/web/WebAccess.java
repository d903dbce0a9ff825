package dev.paddock.harness.tools.web;

import dev.paddock.harness.tools.Tool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Restricts the hosts that the tool {@code web_fetch} may reach. The tool sends requests from the host on behalf of a
 * model that may have read untrusted text, so it reaches only public addresses, and the hosts named here.
 *
 * <p>For any other host, every address is checked before each request, including those after a redirect; one address
 * that is not public causes the request to be refused. Over http the request goes to a checked address; over https the
 * platform may resolve the name again, and the server must prove the name by its certificate before it receives a
 * request.
 *
 * @since 0.1
 */
public final class WebAccess {
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);
    private static final int MAX_BYTES = 64 << 20;

    private final Set<String> internalHosts;
    private final Duration timeout;
    private final int maxBytes;

    private WebAccess(Set<String> internalHosts, Duration timeout, int maxBytes) {
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
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is not more than 0 and at most 5 minutes: " + timeout);
        }
        if (maxBytes < 1 || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException("maxBytes is not within 1 and " + MAX_BYTES + ": " + maxBytes);
        }
        this.internalHosts = internalHosts;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
    }

    /** {@return the defaults: public addresses only, 30 seconds, 4 MiB} */
    public static WebAccess standard() {
        return new WebAccess(Set.of(), Duration.ofSeconds(30), 4 << 20);
    }

    /**
     * Returns a copy with further hosts that may have any address.
     *
     * @param hosts names and literal addresses as in a URL
     * @return the changed value
     */
    public WebAccess allowingInternal(Collection<String> hosts) {
        Set<String> all = new TreeSet<>(internalHosts);
        all.addAll(hosts);
        return new WebAccess(all, timeout, maxBytes);
    }

    /**
     * Returns a copy with another time limit.
     *
     * @param value more than zero, at most 5 minutes
     * @return the changed value
     * @throws IllegalArgumentException if it is not within these bounds
     */
    public WebAccess withTimeout(Duration value) {
        return new WebAccess(internalHosts, value, maxBytes);
    }

    /**
     * Returns a copy with another size limit.
     *
     * @param value bytes, 1 to 64 MiB
     * @return the changed value
     * @throws IllegalArgumentException if it is not within these bounds
     */
    public WebAccess withMaxBytes(int value) {
        return new WebAccess(internalHosts, timeout, value);
    }

    /** {@return the tool {@code web_fetch} with these restrictions, as sessions have it} */
    public Tool fetchTool() {
        return new WebFetchTool(this);
    }

    /**
     * {@return the hosts that may have any address: names and literal addresses as they stand in a URL,
     * without a port; none by default}
     */
    public Set<String> internalHosts() {
        return internalHosts;
    }

    /**
     * {@return the time limit of a whole fetch, redirects included: more than zero, at most 5 minutes; 30 seconds by
     * default}
     */
    public Duration timeout() {
        return timeout;
    }

    /** {@return how many bytes of a page are read, the rest being discarded; 1 to 64 MiB, 4 MiB by default} */
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WebAccess that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "WebAccess" + parts();
    }

    private List<Object> parts() {
        return List.of(internalHosts, timeout, maxBytes);
    }
}
