package dev.paddock.harness.bindings;

import dev.paddock.executor.policy.HostRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A host that guest code may fetch from, and how. Written as a rule of the network of allowed hosts, followed by the
 * methods other than GET and HEAD: {@code api.example.org/post/put}.
 *
 * @param host the host, its ports, and whether it may have a private address
 * @param methods the methods that may be sent, in upper case
 * @since 0.1
 */
public record FetchRule(HostRule host, Set<String> methods) {
    /** The methods that every rule allows: they change nothing. */
    public static final Set<String> READING = Set.of("GET", "HEAD");

    /** The methods that a rule allows if it names them. */
    public static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

    public FetchRule {
        methods = Set.copyOf(methods);
        if (host.mostBytes().isPresent()) {
            throw new IllegalArgumentException(
                    "the rule '" + host + "' has a byte limit for commands; remove it, a fetch has a limit of its own");
        }
        if (host.isLoopback()) {
            throw new IllegalArgumentException("the rule '" + host
                    + "' names this machine's loopback, which a fetch cannot reach; remove the rule");
        }
        for (String method : methods) {
            if (!READING.contains(method) && !CHANGING.contains(method)) {
                throw new IllegalArgumentException("'" + method + "' is not a method that a fetch can use");
            }
        }
    }

    /**
     * Parses a rule.
     *
     * @param text such as {@code git.corp.example:8443/private/post}
     * @throws IllegalArgumentException if it is not one; the message says why
     */
    public static FetchRule parse(String text) {
        Set<String> methods = new TreeSet<>(READING);
        List<String> rest = new ArrayList<>();
        for (String part : text.split("/", -1)) {
            String method = part.toUpperCase(Locale.ROOT);
            if (!rest.isEmpty() && CHANGING.contains(method)) {
                methods.add(method);
            } else {
                rest.add(part);
            }
        }
        return new FetchRule(HostRule.parse(String.join("/", rest)), methods);
    }
}
