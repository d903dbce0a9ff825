package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeatbeltPolicyCheckTest {

    @TempDir
    Path directory;

    private Path worktree;
    private Path data;

    @BeforeEach
    void makeDirectories() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        data = Files.createDirectories(directory.resolve("data/sets"));
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(PathMapping.same(worktree));
    }

    private static void assertRefused(SandboxPolicy policy, String... phrases) {
        assertThatThrownBy(() -> SeatbeltPolicyCheck.check(policy).require())
                .isInstanceOfSatisfying(UnsupportedPolicyException.class, refusal -> {
                    assertThat(refusal.backend()).isEqualTo("seatbelt");
                    assertThat(refusal.unsupported()).hasSameSizeAs(phrases);
                    for (int index = 0; index < phrases.length; index++) {
                        assertThat(refusal.unsupported().get(index)).startsWith("cannot " + phrases[index] + ": ");
                    }
                });
    }

    @Test
    void pathsAreTheSameOnBothSides() throws IOException {
        assertRefused(
                SandboxPolicy.builder(new PathMapping(worktree, "/work")).build(),
                "show the worktree '" + worktree + "' at another path, '/work'");
        assertRefused(
                policy().mount(new Mount(data, "/data", Mount.Access.READ_ONLY)).build(),
                "mount '" + data + "' at another path, '/data'");
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);
        assertThatCode(() -> SeatbeltPolicyCheck.check(
                                policy().mount(new Mount(link, link.toString(), Mount.Access.READ_ONLY))
                                        .build())
                        .require())
                .doesNotThrowAnyException();
    }

    @Test
    void limitsAreKeptByNothingButTheFilesSize() {
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
        assertThatCode(() -> SeatbeltPolicyCheck.check(policy().limits(wished).build())
                        .require())
                .doesNotThrowAnyException();
        assertThat(SeatbeltPolicyCheck.fileBlocks(wished)).hasValue(1);
        assertThatCode(() -> SeatbeltPolicyCheck.check(
                                policy().limits(ResourceLimits.none().withFileSize(1024))
                                        .build())
                        .require())
                .doesNotThrowAnyException();
    }

    @Test
    void chosenHostsAreRefused() {
        assertRefused(
                policy().network(NetworkPolicy.allow(List.of("example.org"))).build(),
                "limit the network to chosen hosts, example.org");
    }

    @Test
    void guaranteesFollowThePolicyAndLeaveOutWhatMacosLacks() {
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
                .doesNotContain(Guarantee.NETWORK_OFF);
    }
}
