package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.Script;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves from inside a pod that its network is off: addresses that it reached before are unreachable once a
 * NetworkPolicy denies everything. The object alone proves nothing: a cluster may accept it and not enforce it.
 */
final class NetworkProof {
    private static final String SCRIPT = Script.text(NetworkProof.class.getResourceAsStream("reach.sh"), "reach.sh");

    private final ChannelFactory pod;

    private NetworkProof(ChannelFactory pod) {
        this.pod = pod;
    }

    /**
     * Switches the network off, and proves it.
     *
     * @param pod running, with an open network; no command has run there yet
     * @param deny creates the NetworkPolicy
     * @param bound how long the cluster may take to enforce it
     * @throws UnsupportedPolicyException if the network is not proven off
     */
    static void require(ChannelFactory pod, Runnable deny, Duration bound) {
        NetworkProof proof = new NetworkProof(pod);
        List<String> open = proof.reached(List.of());
        if (open.isEmpty()) {
            throw refusal("no address was found that a pod with an open network reaches, so that nothing would show"
                    + " that the network is off");
        }
        deny.run();
        long deadline = System.nanoTime() + bound.toNanos();
        List<String> still = open;
        while (!still.isEmpty() && System.nanoTime() < deadline) {
            still = proof.reached(still);
        }
        if (!still.isEmpty()) {
            throw refusal("the cluster does not enforce a NetworkPolicy that denies everything: the pod reaches "
                    + String.join(", ", still));
        }
    }

    private static UnsupportedPolicyException refusal(String why) {
        return new UnsupportedPolicyException(Cluster.BACKEND, List.of("cannot keep the network off: " + why));
    }

    /**
     * Returns the addresses that the pod reaches.
     *
     * @param addresses {@code ADDRESS:PORT} each; empty for those that an open network usually reaches
     */
    private List<String> reached(List<String> addresses) {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", SCRIPT, "paddock-reach"));
        for (String each : addresses) {
            int colon = each.lastIndexOf(':');
            argv.add(each.substring(0, colon));
            argv.add(each.substring(colon + 1));
        }
        List<String> lines = output(argv).lines().toList();
        if (lines.isEmpty() || !lines.get(lines.size() - 1).equals("done")) {
            throw refusal(
                    lines.isEmpty()
                            ? "nothing could be tried from inside the pod"
                            : lines.get(lines.size() - 1).replaceFirst("^untested ", ""));
        }
        return lines.stream()
                .filter(line -> line.startsWith("reached "))
                .map(line -> line.substring("reached ".length()).replace(' ', ':'))
                .toList();
    }

    private String output(List<String> argv) {
        try (ShellChannel channel = pod.open(argv)) {
            return channel.readText();
        } catch (IOException fault) {
            throw refusal("the pod ended during the test: " + fault.getMessage());
        }
    }
}
