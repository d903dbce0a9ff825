package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.local.UnmappedPolicyContract;
import org.junit.jupiter.api.Test;

class SeatbeltPolicyCheckTest extends UnmappedPolicyContract {

    SeatbeltPolicyCheckTest() {
        super("seatbelt");
    }

    @Override
    protected void check(SandboxPolicy policy) {
        SeatbeltPolicyCheck.check(policy).require();
    }

    @Test
    void limitsAreKeptByNothingButFilesSize() {
        ResourceLimits limits = ResourceLimits.none()
                .withMemory(64L << 20)
                .withCpus(1.5)
                .withProcesses(100)
                .withFileSize(1000);
        assertRefused(
                policy().limits(limits).build(),
                "keep a memory limit of " + (64L << 20) + " bytes",
                "keep a limit of 1.5 CPUs",
                "keep a limit of 100 processes",
                "keep a file size limit of 1000 bytes");
        ResourceLimits wished = limits.withDemand(Enforcement.BEST_EFFORT);
        assertAccepted(policy().limits(wished).build());
        assertThat(SeatbeltPolicyCheck.fileBlocks(wished)).hasValue(1);
        assertAccepted(policy().limits(ResourceLimits.none().withFileSize(1024)).build());
    }

    @Test
    void portOfLoopbackIsRefusedWithReason() {
        assertRefused(
                policy().network(NetworkPolicy.allow("example.org", "localhost:5432"))
                        .build(),
                "let commands reach localhost:5432");
    }

    @Test
    void guaranteesFollowPolicyAndLeaveOutWhatMacosLacks() {
        assertThat(SeatbeltPolicyCheck.guarantees(policy().build(), /* isExact */ false))
                .containsExactlyInAnyOrder(
                        Guarantee.WRITE_CONFINED,
                        Guarantee.READ_CONFINED,
                        Guarantee.UNIX_SOCKETS_OFF,
                        Guarantee.NETWORK_OFF,
                        Guarantee.PRIVATE_HOME,
                        Guarantee.PROTECTED_PATHS);
        assertThat(SeatbeltPolicyCheck.guarantees(
                        policy().network(NetworkPolicy.open()).build(), /* isExact */ true))
                .contains(Guarantee.EXACT_STATUS)
                .doesNotContain(Guarantee.NETWORK_OFF, Guarantee.NETWORK_ALLOWED_HOSTS);
        SandboxPolicy allowed =
                policy().network(NetworkPolicy.allow("example.org")).build();
        assertAccepted(allowed);
        assertThat(SeatbeltPolicyCheck.guarantees(allowed, /* isExact */ true))
                .contains(Guarantee.NETWORK_ALLOWED_HOSTS)
                .doesNotContain(Guarantee.NETWORK_OFF);
    }
}
