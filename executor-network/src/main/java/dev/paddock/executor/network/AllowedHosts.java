package dev.paddock.executor.network;

import dev.paddock.executor.HostApprover;
import dev.paddock.executor.policy.HostRule;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decides which hosts and ports the rules of a policy allow, and asks the executor's approver, if any, about others. No
 * other class decides this.
 */
final class AllowedHosts {
    private final List<HostRule> rules;
    private final Map<HostRule, ByteAllowance> allowances = new HashMap<>();

    private volatile Optional<HostApprover> approver = Optional.empty();

    AllowedHosts(List<HostRule> rules) {
        this.rules = List.copyOf(rules);
        rules.forEach(rule -> allowances.computeIfAbsent(rule, ByteAllowance::new));
    }

    /**
     * A host and port that a rule allows.
     *
     * @param isLoopback whether the port is one of the machine's loopback, whatever the name resolves to
     * @param allowance the rule's, or that of several rules that has the most left
     */
    record Grant(String host, int port, boolean allowsPrivate, boolean isLoopback, ByteAllowance allowance) {
        private static final int TLS_PORT = 443;
        private static final int HTTP_PORT = 80;

        /** Returns whether the connection must begin with TLS and name the host. */
        boolean isTls() {
            return port == TLS_PORT && !isLoopback;
        }

        /** Returns whether the connection must carry HTTP requests for the host. */
        boolean isHttp() {
            return port == HTTP_PORT && !isLoopback;
        }
    }

    /** Returns a rule that names a host, on any port; an exact one before a wildcard. */
    Optional<HostRule> rule(String canonical) {
        return rules.stream().filter(rule -> rule.names(canonical)).min(Comparator.comparing(HostRule::isWildcard));
    }

    /** Returns the grant of a host's port; empty if it is not allowed. */
    Optional<Grant> grant(String canonical, int port) {
        List<HostRule> found = rules.stream()
                .filter(rule -> rule.names(canonical) && rule.ports().contains(port))
                .toList();
        return found.stream()
                .map(allowances::get)
                .max(Comparator.comparingLong(ByteAllowance::left))
                .map(most -> new Grant(
                        canonical,
                        port,
                        found.stream().anyMatch(HostRule::allowsPrivate),
                        found.stream().anyMatch(HostRule::isLoopback),
                        most));
    }

    void approveHosts(HostApprover decides) {
        approver = Optional.of(decides);
    }

    /** Returns whether a host that no rule names may be looked up, since the approver decides about its connections. */
    boolean canAskAbout(String canonical) {
        if (approver.isEmpty()) {
            return false;
        }
        try {
            return !HostRule.parse(canonical).ports().isEmpty();
        } catch (IllegalArgumentException noHost) {
            return false;
        }
    }

    /** Returns whether the approver decides about a connection that no rule allows: a rule must name its port. */
    boolean canAskAbout(String canonical, int port) {
        return canAskAbout(canonical) && portsOfHosts().contains(port);
    }

    /**
     * Asks about a connection that no rule allows.
     *
     * @return the grant for this connection alone; empty if it is denied
     */
    Optional<Grant> ask(String canonical, int port) throws InterruptedException {
        if (!canAskAbout(canonical, port)
                || approver.isEmpty()
                || !approver.get().allows(canonical, port)) {
            return Optional.empty();
        }
        boolean allowsPrivate = rules.stream().anyMatch(rule -> rule.names(canonical) && rule.allowsPrivate());
        return Optional.of(new Grant(
                canonical,
                port,
                allowsPrivate,
                /* isLoopback */ false,
                new ByteAllowance(HostRule.parse(canonical + ":" + port))));
    }

    List<HostRule> loopback() {
        return rules.stream().filter(HostRule::isLoopback).toList();
    }

    /** Returns the ports of all rules but those of the machine's loopback. */
    SortedSet<Integer> portsOfHosts() {
        SortedSet<Integer> ports = new TreeSet<>();
        rules.stream().filter(rule -> !rule.isLoopback()).forEach(rule -> ports.addAll(rule.ports()));
        return ports;
    }

    /** Returns the rules as people write them. */
    String text() {
        return String.join(", ", rules.stream().map(HostRule::toString).toList());
    }
}
