package dev.paddock.harness.bindings;

import dev.paddock.executor.policy.HostRule;
import dev.paddock.harness.tools.web.WebAccess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that guest code may fetch from, as rules of a network of allowed hosts. The host sends the requests: a
 * guest has no network.
 *
 * @since 0.1
 */
public final class FetchPolicy {
    private static final FetchPolicy BLOCKED = new FetchPolicy(List.of(), WebAccess.standard());

    private final List<FetchRule> rules;
    private final WebAccess access;

    private FetchPolicy(List<FetchRule> rules, WebAccess access) {
        rules = List.copyOf(rules);
        this.rules = rules;
        this.access = access;
    }

    /** {@return the policy that blocks every fetch, the same value on each call} */
    public static FetchPolicy blocked() {
        return BLOCKED;
    }

    /**
     * Returns the policy that allows some hosts and the names below them.
     *
     * @param hosts rules as {@link FetchRule#parse} reads them, such as {@code example.org} or
     *     {@code git.corp.example:8443/private/post}. A name with a dot includes the names below it.
     * @throws IllegalArgumentException if one is no rule; the message says why
     */
    public static FetchPolicy hosts(Collection<String> hosts) {
        List<FetchRule> rules = new ArrayList<>();
        for (String text : hosts) {
            FetchRule rule = FetchRule.parse(text);
            rules.add(rule);
            HostRule host = rule.host();
            if (!host.isWildcard() && host.domain().indexOf('.') >= 0) {
                rules.add(new FetchRule(host.below(), rule.methods()));
            }
        }
        return new FetchPolicy(rules, WebAccess.standard());
    }

    /**
     * Returns this policy with other limits of time and size.
     *
     * @param value the limits
     */
    public FetchPolicy access(WebAccess value) {
        return new FetchPolicy(rules, value);
    }

    /**
     * {@return the hosts, their ports, whether they may have private addresses, and the methods; an empty list blocks
     * every fetch}
     */
    public List<FetchRule> rules() {
        return rules;
    }

    /**
     * {@return the limits of a fetch: its duration, and the bytes of an answer that are read} It lists no internal
     * hosts: a rule that ends with {@code /private} allows one.
     */
    public WebAccess access() {
        return access;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FetchPolicy that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "FetchPolicy" + parts();
    }

    private List<Object> parts() {
        return List.of(rules, access);
    }
}
