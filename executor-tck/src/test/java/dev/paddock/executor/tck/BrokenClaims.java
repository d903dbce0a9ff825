package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.plain;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.tck.guarantees.PolicyContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Executors that claim guarantees that they do not keep. */
final class BrokenClaims {
    private BrokenClaims() {}

    static List<Broken> all() {
        List<Broken> all = new ArrayList<>(List.of(
                claims(Guarantee.READ_CONFINED, "G_READ_CONFINED_readsNothingElse", "what a command reads"),
                claims(Guarantee.WRITE_CONFINED, "G_WRITE_CONFINED_writesNothingElse", "after a command wrote"),
                claims(
                        Guarantee.ENV_CONFINED,
                        "G_ENV_CONFINED_readsNoOtherEnvironment",
                        "another command's environment"),
                claims(Guarantee.NO_NEW_PRIVILEGES, "G_NO_NEW_PRIVILEGES_isSet", "1"),
                claims(Guarantee.SYSCALL_FILTER, "G_SYSCALL_FILTER_isInForce", "2"),
                claims(Guarantee.NETWORK_OFF, "G_NETWORK_OFF_reachesNoTcp", "reached the host"),
                claims(Guarantee.UNIX_SOCKETS_OFF, "G_UNIX_SOCKETS_OFF_reachesNoneOutsideGrant", "connects to"),
                claims(Guarantee.TREE_KILL, "C9_killEndsTree[9]", "NAMELESS_DAEMON"),
                claims(Guarantee.DIES_WITH_HOST, "C12_nothingSurvivesJvm", "NAMELESS_DAEMON"),
                claims(Guarantee.PRIVATE_TMP, "C17_tmpAndHomeBelongToExecutor", "another executor's command"),
                claims(Guarantee.PRIVATE_HOME, "C17_tmpAndHomeBelongToExecutor", "another executor's command"),
                claims(Guarantee.PRIVATE_LOOPBACK, "C17_loopbackBelongsToExecutor", "another executor's command"),
                claims(
                        Guarantee.PUBLISHED_PORTS,
                        "G_PUBLISHED_PORTS_thisMachineReachesCommandAtOneAddressUntilItEnds",
                        "cannot publish port")));
        IntStream.rangeClosed(1, PolicyContract.Asked.values().length)
                .mapToObj(i -> "G_whatIsAskedForIsClaimedOrRefused[" + i + "]")
                .map(test -> new Broken(
                        "promises what is asked for: " + test,
                        test,
                        "raise a throwable",
                        environment -> plain(new ReferenceExecutor(), environment)
                                .withProvider(new ReferenceProvider(true), Map.of())))
                .forEach(all::add);
        return all;
    }

    private static Broken claims(Guarantee guarantee, String fails, String seen) {
        return Broken.executor("claims " + guarantee, fails, seen, () -> new ReferenceExecutor() {
            @Override
            public Set<Guarantee> guarantees() {
                return Set.of(guarantee);
            }
        });
    }
}
