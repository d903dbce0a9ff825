package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.container.EngineLimits;
import dev.paddock.executor.docker.source.ContainerGuarantees;
import dev.paddock.executor.docker.source.KeepAliveAttach;
import dev.paddock.executor.policy.NetworkPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which hardening is claimed for a container, and when it is not. {@link ManagedEscapeTest}
 * tests what the filter refuses.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerFilterTest {
    private static final EngineLimits ALL = new EngineLimits(true, true, true, true);

    @TempDir
    Path directory;

    private static EngineInfo info(String architecture, String security) throws Exception {
        return EngineInfo.of(new ObjectMapper()
                .readTree("{\"Architecture\":\"%s\",\"SecurityOptions\":[\"%s\"]}".formatted(architecture, security)));
    }

    @Test
    void C14_engineWithoutFiltersIsRefused() throws Exception {
        assertThat(ContainerFilter.obstacle(info("x86_64", "name=seccomp,profile=default")))
                .isEmpty();
        assertThat(ContainerFilter.obstacle(info("x86_64", "name=apparmor")))
                .hasValueSatisfying(unable -> assertThat(unable.reason()).contains("seccomp"));
        assertThat(ContainerFilter.obstacle(info("s390x", "name=seccomp,profile=default")))
                .hasValueSatisfying(unable -> assertThat(unable.reason()).contains("s390x"));
    }

    @Test
    void C14_runtimeThatLeavesFilterOutIsRefused() {
        assertThat(KeepAliveAttach.pid("lease 7 2", Optional.empty())).isEqualTo(7);
        for (String greeting : List.of("lease 7 0", "lease 7 none", "lease 7")) {
            assertThatThrownBy(() -> KeepAliveAttach.pid(greeting, Optional.empty()))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("filter");
        }
    }

    @Test
    void kernelOfItsOwnIsClaimedWithoutFilter() {
        assertThat(KeepAliveAttach.pid("lease 7 0", Optional.of("runsc"))).isEqualTo(7);
        assertThat(ContainerGuarantees.kept(Optional.of("not here"), NetworkPolicy.off(), Optional.of("runsc"), ALL))
                .doesNotContain(Guarantee.SYSCALL_FILTER)
                .contains(Guarantee.NETWORK_OFF, Guarantee.WRITE_CONFINED);
        assertThat(ContainerGuarantees.kept(Optional.of("not here"), NetworkPolicy.off(), Optional.of("runc"), ALL))
                .contains(Guarantee.SYSCALL_FILTER);
    }

    @Test
    void limitThatEngineDoesNotReportIsNotClaimed() throws Exception {
        assertThat(ContainerGuarantees.kept(Optional.of("not here"), NetworkPolicy.off(), Optional.empty(), ALL))
                .contains(Guarantee.MEMORY_LIMIT, Guarantee.CPU_LIMIT, Guarantee.PROCESS_LIMIT);
        assertThat(ContainerGuarantees.kept(
                        Optional.of("not here"),
                        NetworkPolicy.off(),
                        Optional.empty(),
                        EngineInfo.of(new ObjectMapper().readTree("{}")).limits()))
                .doesNotContain(Guarantee.MEMORY_LIMIT, Guarantee.CPU_LIMIT, Guarantee.PROCESS_LIMIT)
                .contains(Guarantee.NETWORK_OFF);
        assertThat(ContainerGuarantees.kept(
                        Optional.of("not here"),
                        NetworkPolicy.off(),
                        Optional.empty(),
                        new EngineLimits(true, false, true, true)))
                .as("a memory limit without one for swap")
                .doesNotContain(Guarantee.MEMORY_LIMIT);
    }

    @Test
    void attachedToOrdinaryContainerItsNetworkAndTerminalsAreClaimed() throws Exception {
        assertThat(claimed(host -> host)).containsExactlyInAnyOrder(Guarantee.NETWORK_OFF, Guarantee.TERMINAL);
    }

    @Test
    void attachedToHardenedContainerWhatHoldsIsClaimed() throws Exception {
        assertThat(claimed(host -> host.withCapDrop(Capability.ALL).withSecurityOpts(List.of("no-new-privileges"))))
                .containsExactlyInAnyOrder(Guarantee.NETWORK_OFF, Guarantee.NO_NEW_PRIVILEGES, Guarantee.TERMINAL);
        assertThat(claimed(host -> host.withCapDrop(Capability.ALL)
                        .withSecurityOpts(List.of("no-new-privileges", ContainerFilter.OPTION))))
                .containsExactlyInAnyOrder(
                        Guarantee.NETWORK_OFF,
                        Guarantee.NO_NEW_PRIVILEGES,
                        Guarantee.SYSCALL_FILTER,
                        Guarantee.TERMINAL);
    }

    @Test
    void attachedToContainerWithMorePowersNothingIsClaimed() throws Exception {
        assertThat(claimed(host -> host.withPidMode("host"))).isEmpty();
        assertThat(claimed(host -> host.withCapAdd(Capability.SYS_ADMIN))).isEmpty();
    }

    @Tag("full")
    @Test
    void containerWithMorePowersGivesNoTerminalAndSaysWhy() throws Exception {
        String container =
                TestEngine.start(TestEngine.BUSYBOX, directory, true, host -> host.withCapAdd(Capability.SYS_ADMIN));
        try (DockerExecutor executor =
                DockerExecutor.builder().container(container).removeOnDispose().build()) {
            assertThatThrownBy(() -> executor.spawn(
                            ": >/ran",
                            SpawnOptions.builder("/").terminal(80, 24).build()))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining(container)
                    .hasMessageContaining("added capabilities");
            assertThat(Runs.of(executor, "/", "[ -e /ran ] || echo nothing").out())
                    .isEqualTo("nothing\n");
        }
    }

    private Set<Guarantee> claimed(UnaryOperator<HostConfig> hardening) throws Exception {
        String container = TestEngine.start(TestEngine.BUSYBOX, directory, true, hardening);
        try (DockerExecutor executor =
                DockerExecutor.builder().container(container).removeOnDispose().build()) {
            return executor.guarantees();
        }
    }
}
