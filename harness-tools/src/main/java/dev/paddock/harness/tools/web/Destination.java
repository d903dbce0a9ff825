package dev.paddock.harness.tools.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The destination of a request, after all its parts have been checked.
 *
 * @param uri the URL without a fragment
 * @param pinned the address that the request must go to, without another name lookup; empty if a lookup is permitted:
 *     the host may have any address, or has to prove its name by its certificate
 */
record Destination(URI uri, Optional<InetSocketAddress> pinned) {

    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** Says which hosts may be reached. */
    @FunctionalInterface
    interface Hosts {
        /**
         * Returns the addresses that a host may have.
         *
         * @param host its name in lower case
         * @param port the port of the request
         * @return accepts an address; empty if the host may not be reached at this port
         */
        Optional<Predicate<InetAddress>> addressesOf(String host, int port);
    }

    /**
     * Decides which destinations may be reached.
     *
     * @param access the access that the session grants
     * @param resolver resolves host names
     * @param hosts says which hosts may be reached, and which addresses they may have
     */
    record Gate(WebAccess access, Resolver resolver, Hosts hosts) {

        /** Creates a gate that allows all hosts with such addresses. */
        static Gate everyHost(WebAccess access, Resolver resolver, Predicate<InetAddress> isPublic) {
            return new Gate(access, resolver, (host, port) -> Optional.of(isPublic));
        }

        /**
         * Checks a URL.
         *
         * @throws WebProblem if it must not or cannot be reached
         */
        Destination check(String url) {
            URI uri = parse(url);
            String host = uri.getHost().toLowerCase(Locale.ROOT);
            Predicate<InetAddress> mayBeReached = hosts.addressesOf(host, port(uri))
                    .orElseThrow(() -> new WebProblem("the host " + host + " is not allowed here at port " + port(uri)
                            + "; the user may allow it by name"));
            if (access.internalHosts().contains(host)) {
                return new Destination(uri, Optional.empty());
            }
            InetAddress[] addresses = resolve(host);
            List<InetAddress> refused =
                    List.of(addresses).stream().filter(mayBeReached.negate()).toList();
            if (!refused.isEmpty()) {
                throw new WebProblem(host + " is " + refused.getFirst().getHostAddress()
                        + ", which is not a public address. web_fetch"
                        + " reaches public addresses only; the session's user may allow the host by name");
            }
            boolean provesItsName = uri.getScheme().equals("https");
            return new Destination(
                    uri,
                    provesItsName ? Optional.empty() : Optional.of(new InetSocketAddress(addresses[0], port(uri))));
        }

        private InetAddress[] resolve(String host) {
            try {
                return resolver.resolve(host);
            } catch (UnknownHostException unknown) {
                throw new WebProblem("there is no host named " + host + ", or its name cannot be looked up", unknown);
            }
        }

        static int port(URI uri) {
            return uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
        }

        static URI parse(String url) {
            URI uri;
            try {
                uri = new URI(url.strip());
            } catch (URISyntaxException fault) {
                throw new WebProblem(
                        "'" + url + "' is not a URL: " + fault.getReason() + ". Encode what is not plain ASCII", fault);
            }
            String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
            if (!scheme.equals("http") && !scheme.equals("https")) {
                throw new WebProblem("'" + url + "' does not begin with http:// or https://; nothing else is fetched");
            }
            if (uri.getHost() == null) {
                throw new WebProblem("'" + url + "' names no host");
            }
            if (uri.getRawUserInfo() != null) {
                throw new WebProblem(
                        "a URL with a user or a password in it is not fetched; leave out what is before the @");
            }
            return plain(uri, scheme);
        }

        private static URI plain(URI uri, String scheme) {
            String path = Optional.ofNullable(uri.getRawPath())
                    .filter(some -> !some.isEmpty())
                    .orElse("/");
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return URI.create(scheme + "://" + uri.getRawAuthority() + path + query);
        }
    }
}
