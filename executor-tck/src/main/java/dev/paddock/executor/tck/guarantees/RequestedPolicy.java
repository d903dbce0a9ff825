package dev.paddock.executor.tck.guarantees;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.context.ContractContext;
import java.util.Set;

/** Creates policies for the subject's provider, and determines which guarantees it claims. */
final class RequestedPolicy {
    private RequestedPolicy() {}

    /** Returns the minimal policy: the network open, unless the backend can switch it off. */
    static SandboxPolicy.Builder base(PathMapping worktree, ContractContext context) {
        boolean canBeOff = probed(context).contains(Guarantee.NETWORK_OFF);
        return SandboxPolicy.builder(worktree).network(canBeOff ? NetworkPolicy.off() : NetworkPolicy.open());
    }

    /** Returns the subject's provider; skips the test if there is none. */
    static ExecutorProvider provider(ContractContext context) {
        assumeTrue(context.subject().provider().isPresent(), "the subject names no provider");
        return context.subject().provider().get();
    }

    static Set<Guarantee> probed(ContractContext context) {
        return context.probed(provider(context));
    }
}
