package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.clauses.LeftoverContract;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The guarantees that a policy requests by name: refused if they cannot be enforced, in force if
 * they can.
 */
public interface PolicyContract {
    long MEMORY = 64L << 20;

    /** The guarantees that a policy can request, with the request. */
    enum Asked {
        NETWORK_OFF(Guarantee.NETWORK_OFF, policy -> policy.network(NetworkPolicy.off())),
        MEMORY_LIMIT(
                Guarantee.MEMORY_LIMIT,
                policy -> policy.limits(ResourceLimits.none().withMemory(MEMORY))),
        CPU_LIMIT(
                Guarantee.CPU_LIMIT,
                policy -> policy.limits(ResourceLimits.none().withCpus(0.5))),
        PROCESS_LIMIT(
                Guarantee.PROCESS_LIMIT,
                policy -> policy.limits(ResourceLimits.none().withProcesses(40))),
        PROTECTED_PATHS(
                Guarantee.PROTECTED_PATHS,
                policy -> policy.protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.REQUIRED)));

        private final Guarantee guarantee;

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
        private final UnaryOperator<SandboxPolicy.Builder> ask;

        Asked(Guarantee guarantee, UnaryOperator<SandboxPolicy.Builder> ask) {
            this.guarantee = guarantee;
            this.ask = ask;
        }
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void G_whatIsAskedForIsClaimedOrRefused(Asked asked, ContractContext context) {
        SandboxPolicy policy = asked.ask
                .apply(RequestedPolicy.base(context.subject().shared(), context))
                .build();
        ExecutorProvider provider = RequestedPolicy.provider(context);
        if (RequestedPolicy.probed(context).contains(asked.guarantee)) {
            try (CommandExecutor executor =
                    provider.create(policy, context.subject().settings())) {
                assertThat(executor.guarantees()).contains(asked.guarantee);
            }
        } else {
            assertThatThrownBy(() -> provider.create(policy, context.subject().settings())
                            .close())
                    .isInstanceOfSatisfying(
                            UnsupportedPolicyException.class,
                            refused -> assertThat(refused.unsupported())
                                    .as("the parts of the policy that the refusal names")
                                    .isNotEmpty());
        }
    }

    /**
     * A backend that cannot enforce a best-effort part does not claim it; commands still run.
     */
    @Test
    default void G_asFarAsPossibleIsNeverRefused(ContractContext context) throws Exception {
        SandboxPolicy policy = RequestedPolicy.base(context.subject().shared(), context)
                .limits(ResourceLimits.none()
                        .withMemory(4 * MEMORY)
                        .withCpus(1)
                        .withProcesses(200)
                        .withDemand(Enforcement.BEST_EFFORT))
                .build();
        try (CommandExecutor executor = RequestedPolicy.provider(context)
                .create(policy, context.subject().settings())) {
            assertThat(context.start(executor, "echo works", context.options())
                            .outcome()
                            .succeeded())
                    .isEqualTo("works\n");
        }
    }

    @Test
    default void G_MEMORY_LIMIT_binds(ContractContext context) throws Exception {
        try (CommandExecutor executor = limited(Asked.MEMORY_LIMIT, context)) {
            // By doubling: the shell alone soon exceeds 64 MiB.
            Running hog = context.start(executor, "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done", context.options());
            assertThat(hog.status())
                    .isInstanceOfSatisfying(
                            ExitStatus.OutOfMemory.class,
                            status -> assertThat(status.limitBytes())
                                    .as("the limit in force")
                                    .hasValue(MEMORY));
        }
    }

    @Test
    default void G_PROCESS_LIMIT_binds(ContractContext context) throws Exception {
        String many =
                "i=0; while [ $i -lt 80 ]; do read x < " + context.never() + " & i=$((i+1)); done; echo all of them";
        SpawnOptions.Builder options = context.options().killGrace(LeftoverContract.SHORT_GRACE);
        assertThat(context.run(many, options).out())
                .as("80 processes without the limit")
                .contains("all of them");
        try (CommandExecutor executor = limited(Asked.PROCESS_LIMIT, context)) {
            assertThat(context.start(executor, many, options).outcome().out())
                    .as("80 processes under a limit of 40")
                    .doesNotContain("all of them");
            assertThat(context.start(executor, "echo works again", context.options())
                            .outcome()
                            .succeeded())
                    .isEqualTo("works again\n");
        }
    }

    @Test
    default void G_CPU_LIMIT_binds(ContractContext context) throws Exception {
        try (CommandExecutor executor = limited(Asked.CPU_LIMIT, context)) {
            Duration wall = Duration.ofMillis(1500);
            long from = System.nanoTime();
            Running spinning = context.start(
                    executor,
                    "while :; do :; done & one=$!; while :; do :; done & two=$!; echo up; read go; kill $one $two; wait; "
                            + "times",
                    context.options().stdin(Stdin.PIPE));
            spinning.awaitText("up\n");
            Awaitility.await("the wall-clock time of the limit has passed")
                    .pollDelay(wall)
                    .until(() -> true);
            spinning.process().stdin().close();
            String times = spinning.outcome().out();
            double elapsed = (System.nanoTime() - from) / 1e9;
            assertThat(cpuSeconds(times))
                    .as("CPU seconds of two busy loops in %.1f s under a limit of half a CPU", elapsed)
                    .isPositive()
                    .isLessThan(elapsed * 0.5 + 0.6);
        }
    }

    /** Sums the times that the {@code times} builtin prints. */
    private static double cpuSeconds(String times) {
        Matcher matcher = Pattern.compile("(\\d+)m([\\d.]+)s").matcher(times);
        double sum = 0;
        while (matcher.find()) {
            sum += 60 * Integer.parseInt(matcher.group(1)) + Double.parseDouble(matcher.group(2));
        }
        return sum;
    }

    private static CommandExecutor limited(Asked asked, ContractContext context) {
        assumeTrue(
                RequestedPolicy.probed(context).contains(asked.guarantee), () -> asked.guarantee + " is not claimed");
        SandboxPolicy policy = asked.ask
                .apply(RequestedPolicy.base(context.subject().shared(), context))
                .build();
        return RequestedPolicy.provider(context)
                .create(policy, context.subject().settings());
    }
}
