package dev.paddock.harness.tools.web;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.net.AddressKind;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.harness.tools.ToolException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sends requests from the host for code that has no network: only to allowed hosts; each redirect is checked like the
 * first request. Thread-safe.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // for guest code alone
public final class HostFetch {
    private final WebAccess access;
    private final List<HostRule> rules;
    private final Destination.Gate gate;

    /**
     * Creates a fetcher.
     *
     * @param rules the hosts that may be reached, at which ports, and whether they may have private
     *     addresses, by the rules of the network of allowed hosts
     * @param access how long a fetch may take, and how much is read; it names no internal hosts
     * @throws IllegalArgumentException if the access names internal hosts, or a rule limits bytes
     *     or names the loopback
     */
    public HostFetch(List<HostRule> rules, WebAccess access) {
        this(rules, access, InetAddress::getAllByName);
    }

    HostFetch(List<HostRule> rules, WebAccess access, Destination.Resolver resolver) {
        if (!access.internalHosts().isEmpty()) {
            throw new IllegalArgumentException("a host with a private address is allowed by a rule that ends with"
                    + " /private, and not as an internal host: " + access.internalHosts());
        }
        if (rules.stream().anyMatch(rule -> rule.mostBytes().isPresent())) {
            throw new IllegalArgumentException(
                    "a fetch has a byte limit of its own; remove the byte limits from these rules: " + rules);
        }
        if (rules.stream().anyMatch(HostRule::isLoopback)) {
            throw new IllegalArgumentException(
                    "a fetch cannot reach this machine's loopback; remove the loopback rules from: " + rules);
        }
        this.rules = List.copyOf(rules);
        this.access = access;
        gate = new Destination.Gate(access, resolver, this::addressesOf);
    }

    private Optional<Predicate<InetAddress>> addressesOf(String host, int port) {
        List<HostRule> found = HostRule.canonical(host).stream()
                .flatMap(name -> rules.stream().filter(rule -> rule.names(name)))
                .filter(rule -> rule.ports().contains(port))
                .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        boolean allowsPrivate = found.stream().anyMatch(HostRule::allowsPrivate);
        return Optional.of(address ->
                allowsPrivate ? AddressKind.fromHere(address) != AddressKind.SPECIAL : AddressKind.isPublic(address));
    }

    /**
     * Returns whether a rule names the host of a URL, at its port.
     *
     * @param url the URL
     * @return false for a URL that is malformed
     */
    public boolean allows(String url) {
        try {
            URI uri = Destination.Gate.parse(url);
            return addressesOf(uri.getHost(), Destination.Gate.port(uri)).isPresent();
        } catch (WebProblem malformed) {
            return false;
        }
    }

    /**
     * An answer.
     *
     * @param url where it came from, after redirects
     * @param status the status
     * @param headers the first value of each header, by its name in lower case
     * @param body the body as UTF-8
     */
    public record Answer(String url, int status, Map<String, String> headers, String body) {
        public Answer {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * A request.
     *
     * @param url the URL
     * @param method in upper case; the caller decides which are sent
     * @param headers names and values, which a redirect to another host does not receive
     * @param body sent as UTF-8; a request with a body is not redirected to another host, except as
     *     a GET without it
     */
    public record Request(String url, String method, Map<String, String> headers, Optional<String> body) {
        public Request {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Sends a request.
     *
     * @param request the request
     * @param signal ends it
     * @return the answer, whatever its status
     * @throws ToolException if it may not or cannot be sent, or the answer is larger than permitted
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     * @throws IllegalArgumentException if a request cannot have such a header
     */
    public Answer send(Request request, AbortSignal signal) {
        try {
            PageRequest.Answer answer = new PageRequest(access, gate, signal)
                    .with(request.headers())
                    .by(request.method(), request.body())
                    .fetch(request.url());
            if (answer.body().isCut()) {
                throw new ToolException(answer.uri() + " has more than " + access.maxBytes() + " bytes");
            }
            Map<String, String> headers = new LinkedHashMap<>();
            answer.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            return new Answer(
                    answer.uri().toString(),
                    answer.status(),
                    headers,
                    new String(answer.body().bytes(), StandardCharsets.UTF_8));
        } catch (WebProblem problem) {
            throw new ToolException(String.valueOf(problem.getMessage()), problem);
        }
    }
}
