package dev.paddock.cli;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.harness.tools.hint.CommandHints;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports each denied host at the command's first attempt to reach it: programs retry for minutes before they report
 * it. The command's report lists all of them.
 */
final class DeniedHosts implements Consumer<HostConnection> {
    private static final int MAX_REPORTED = 16;

    /** The names of this machine's loopback, whose rules have ports. */
    private static final Set<String> LOOPBACK = Set.of("localhost", "host.internal");

    private final Consumer<String> report;
    private final boolean hasOption;
    private final Optional<String> networkOff;
    private final Set<String> reported = new HashSet<>();

    /**
     * Creates an observer.
     *
     * @param report receives a message; must not block
     * @param hints those of the caller's options; empty if they cannot allow a host
     */
    DeniedHosts(Consumer<String> report, Optional<CommandHints> hints) {
        this.report = report;
        this.hasOption = hints.isPresent();
        this.networkOff = hints.flatMap(CommandHints::networkOff);
    }

    @Override
    public void accept(HostConnection connection) {
        String host = connection.host();
        if (connection.allowed() || HostRule.canonical(host).isEmpty() || host.endsWith(".arpa")) {
            return; // no name that a rule can have, such as that of a service record, or an address
        }
        String place =
                connection.port().isPresent() ? host + ":" + connection.port().getAsInt() : host;
        if (isNew(place)) {
            String reason = connection.reason().orElse("not allowed");
            String rule = connection.port().isEmpty() && LOOPBACK.contains(host) ? host + ":PORT" : place;
            String option = hasOption && reason.endsWith("not allowed") ? "; --allow " + rule + " allows it" : "";
            String why = networkOff.filter(off -> connection.port().isEmpty()).orElse(reason + option);
            report.accept(place + " was not reached: " + why);
        }
    }

    private synchronized boolean isNew(String place) {
        return reported.size() < MAX_REPORTED && reported.add(place);
    }
}
