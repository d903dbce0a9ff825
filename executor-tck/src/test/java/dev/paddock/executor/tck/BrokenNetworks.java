package dev.paddock.executor.tck;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An executor that claims to enforce a network of allowed hosts, and leaves commands the host's. */
final class BrokenNetworks {
    private BrokenNetworks() {}

    static List<Broken> all() {
        return List.of(
                broken("reachesHostByItsNameWithoutSetting", "the answer of an allowed host"),
                broken("reachesNoAddress", "a command that connects to 127.0.0.1"),
                broken("deniesOtherNamesAndReportsThem", "notices"),
                broken("reportsEachConnectionToItsObservers", "reports no connections"));
    }

    private static Broken broken(String fails, String seen) {
        String test = "G_NETWORK_ALLOWED_HOSTS_" + fails;
        return new Broken(
                "has the host's network: " + test,
                test,
                seen,
                environment ->
                        Broken.plain(new ReferenceExecutor(), environment).withProvider(new Claims(), Map.of()));
    }

    private static final class Claims implements ExecutorProvider {
        @Override
        public String name() {
            return "claims";
        }

        @Override
        public Availability probe() {
            return new Availability.Usable(name(), Set.of(Guarantee.NETWORK_ALLOWED_HOSTS));
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new ReferenceExecutor() {
                @Override
                public Set<Guarantee> guarantees() {
                    return Set.of(Guarantee.NETWORK_ALLOWED_HOSTS);
                }
            };
        }
    }
}
