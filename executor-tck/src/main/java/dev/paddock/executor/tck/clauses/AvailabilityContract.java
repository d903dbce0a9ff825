package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** C14 and C15: an unavailable sandbox, and a lost one. */
public interface AvailabilityContract {

    Duration LOSS_BOUND = Duration.ofSeconds(5);

    @Test
    default void C14_whatCannotBeHadRunsNothing(ContractContext context) {
        Optional<Supplier<CommandExecutor>> unavailable = context.subject().unavailable();
        assumeTrue(unavailable.isPresent(), "the subject has no variant with an unavailable sandbox");
        assertThatThrownBy(() -> {
                    try (CommandExecutor executor = unavailable.get().get()) {
                        executor.spawn(": > ran", context.options().build());
                    }
                })
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.backend()).as("backend").isNotBlank();
                    assertThat(thrown.reason()).as("reason").isNotBlank();
                    assertThat(thrown.remedy()).as("remedy").isNotBlank();
                });
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
    }

    @Test
    default void C14_probeAnswersAndExecutorIsAsProbed(ContractContext context) {
        ExecutorProvider provider = provider(context);
        assertThat(provider.name()).matches("[a-z0-9]+");
        long before = System.nanoTime();
        Availability answer = provider.probe();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("how long the probe took")
                .isLessThan(context.patience().plusSeconds(5));
        assertThat(answer)
                .as("the probe of a backend whose executor runs commands")
                .isInstanceOf(Availability.Usable.class);
    }

    @Test
    default void C14_allowListOfHostsIsEnforcedOrRefused(ContractContext context) {
        ExecutorProvider provider = provider(context);
        SandboxPolicy policy = SandboxPolicy.builder(context.subject().shared())
                .network(NetworkPolicy.allow("host.example"))
                .build();
        if (provider.probe(policy, context.subject().settings()) instanceof Availability.Usable usable
                && usable.guarantees().contains(Guarantee.NETWORK_ALLOWED_HOSTS)) {
            try (CommandExecutor executor =
                    provider.create(policy, context.subject().settings())) {
                assertThat(executor.guarantees())
                        .contains(Guarantee.NETWORK_ALLOWED_HOSTS)
                        .doesNotContain(Guarantee.NETWORK_OFF);
            }
            return;
        }
        assertThatThrownBy(() ->
                        provider.create(policy, context.subject().settings()).dispose())
                .isInstanceOfSatisfying(
                        UnsupportedPolicyException.class,
                        thrown -> assertThat(thrown.unsupported()).isNotEmpty());
    }

    @Test
    default void C14_unknownSettingIsRefused(ContractContext context) {
        ExecutorProvider provider = provider(context);
        SandboxPolicy policy = SandboxPolicy.unconfined(context.subject().shared());
        assertThatThrownBy(() ->
                        provider.create(policy, Map.of("no-such-setting", "x")).dispose())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-setting");
    }

    private static ExecutorProvider provider(ContractContext context) {
        assumeTrue(context.subject().provider().isPresent(), "the subject names no provider");
        return context.subject().provider().get();
    }

    @Test
    default void C15_lossIsReportedAndHeals(ContractContext context) throws Exception {
        List<SandboxFault> kinds = context.subject().faults();
        assumeTrue(!kinds.isEmpty(), "the subject's sandbox cannot be lost");
        for (int i = 0; i < kinds.size(); i++) {
            ContractSubject fresh = context.fresh();
            SandboxFault fault = fresh.faults().get(i);
            Running command =
                    context.start(fresh.executor(), "echo up; read x < " + context.never(), context.options());
            command.awaitText("up\n");
            fault.inflict().run();
            assertThat(lossReportedBy(command))
                    .as("what onExit completed with after '%s'", fault.name())
                    .isInstanceOf(SandboxLostException.class);
            fault.heal().run();
            Awaitility.await("usable again after '" + fault.name() + "'")
                    .pollInSameThread()
                    .atMost(context.patience())
                    .ignoreExceptionsMatching(AvailabilityContract::isLoss)
                    .until(() -> context.start(fresh.executor(), "echo back", context.options())
                            .outcome()
                            .succeeded()
                            .equals("back\n"));
        }
    }

    /** A command may start in a sandbox that is being lost, and report the loss only at its end. */
    private static boolean isLoss(Throwable fault) {
        return fault instanceof ExecutorException
                || (fault instanceof AssertionError && fault.getCause() instanceof ExecutorException);
    }

    private static Throwable lossReportedBy(Running command) throws InterruptedException {
        try {
            return new AssertionError("no loss but the status "
                    + command.process().onExit().toCompletableFuture().get(LOSS_BOUND.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException fault) {
            return Optional.ofNullable(fault.getCause()).orElse(fault);
        } catch (TimeoutException late) {
            return late;
        }
    }
}
