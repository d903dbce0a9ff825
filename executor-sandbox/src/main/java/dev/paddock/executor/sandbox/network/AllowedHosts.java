package dev.paddock.executor.sandbox.network;

import dev.paddock.executor.policy.HostRule;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Decides which hosts and ports the rules of a policy allow. The one place of this decision. */
final class AllowedHosts {
    private final List<HostRule> rules;

    AllowedHosts(List<HostRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** A host and port that a rule allows. */
    record Grant(String host, int port, boolean allowsPrivate) {}

    /** Returns whether a rule names a host, on whatever port. */
    boolean names(String canonical) {
        return rules.stream().anyMatch(rule -> rule.names(canonical));
    }

    /** Returns what is allowed of a host's port; empty if nothing is. */
    Optional<Grant> grant(String canonical, int port) {
        List<HostRule> found = rules.stream()
                .filter(rule -> rule.names(canonical) && rule.ports().contains(port))
                .toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Grant(canonical, port, found.stream().anyMatch(HostRule::allowsPrivate)));
    }

    /** Returns the ports of all rules. */
    SortedSet<Integer> ports() {
        SortedSet<Integer> ports = new TreeSet<>();
        rules.forEach(rule -> ports.addAll(rule.ports()));
        return ports;
    }

    /** Returns the rules as people write them. */
    String text() {
        return String.join(", ", rules.stream().map(HostRule::toString).toList());
    }
}
