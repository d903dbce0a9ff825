package dev.paddock.executor.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.tck.local.UnmappedPolicyContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LandlockPolicyCheckTest extends UnmappedPolicyContract {
    private static final LimitPlan.Mechanisms MECHANISMS = new LimitPlan.Mechanisms(Set.of(), false);

    LandlockPolicyCheckTest() {
        super("landlock");
    }

    @Override
    protected void check(SandboxPolicy policy) {
        LandlockPolicyCheck.check(policy, MECHANISMS).require();
    }

    @Test
    void readOnlyInsideWritableIsRefused() throws IOException {
        Path parent = directory().resolve("data");
        SandboxPolicy policy = policy().mount(new Mount(parent, parent.toString(), Mount.Access.READ_WRITE))
                .mount(new Mount(data(), data().toString(), Mount.Access.READ_ONLY))
                .build();
        assertRefused(policy, "mount '" + data() + "' read-only inside '" + parent + "', which is writable");

        Path link = Files.createSymbolicLink(directory().resolve("other-name"), worktree());
        Path inside = Files.createDirectory(worktree().resolve("inside"));
        SandboxPolicy through = SandboxPolicy.builder(PathMapping.same(link))
                .mount(new Mount(inside, inside.toString(), Mount.Access.READ_ONLY))
                .build();
        assertRefused(through, "mount '" + inside + "' read-only inside '" + worktree() + "', which is writable");
    }

    @Test
    void chosenHostsAreRefused() {
        assertRefused(
                policy().network(NetworkPolicy.allow("example.org")).build(),
                "limit the network to chosen hosts, example.org");
    }

    @Test
    void portOfThisMachineIsRefusedForReasonOfItsOwn() {
        SandboxPolicy policy =
                policy().network(NetworkPolicy.allow("localhost:5432")).build();
        assertRefused(policy, "limit the network to chosen hosts, localhost:5432");
        assertThatThrownBy(() -> LandlockPolicyCheck.check(policy, MECHANISMS).require())
                .hasMessageContaining("Landlock's rules name ports without addresses");
    }

    @Test
    void writableInsideReadOnlyIsKept() {
        Path parent = directory().resolve("data");
        SandboxPolicy policy = policy().mount(new Mount(parent, parent.toString(), Mount.Access.READ_ONLY))
                .mount(new Mount(data(), data().toString(), Mount.Access.READ_WRITE))
                .build();
        assertThatCode(() -> LandlockPolicyCheck.check(policy, MECHANISMS).require())
                .doesNotThrowAnyException();
    }

    @Test
    void requiredProtectionIsRefused() {
        assertRefused(
                policy().protectedPaths(ProtectedPaths.of(Set.of(".idea"), Enforcement.REQUIRED))
                        .build(),
                "keep the protected paths .idea");
    }

    @Test
    void everyViolationIsReported() {
        assertRefused(
                SandboxPolicy.builder(new PathMapping(worktree(), "/work"))
                        .mount(new Mount(data(), "/data", Mount.Access.READ_ONLY))
                        .network(NetworkPolicy.allow(List.of("example.org")))
                        .limits(ResourceLimits.none().withMemory(64 << 20).withProcesses(9))
                        .build(),
                "show the worktree '" + worktree() + "' at another path, '/work'",
                "mount '" + data() + "' at another path, '/data'",
                "limit the network to chosen hosts, example.org",
                "keep a memory limit of 67108864 bytes",
                "keep a limit of 9 processes");
    }

    @Test
    void guaranteesFollowPolicy() {
        assertThat(LandlockPolicyCheck.guarantees(policy().build(), Set.of(Guarantee.MEMORY_LIMIT)))
                .contains(Guarantee.NETWORK_OFF, Guarantee.MEMORY_LIMIT, Guarantee.PRIVATE_HOME)
                .doesNotContain(
                        Guarantee.TREE_KILL,
                        Guarantee.PRIVATE_TMP,
                        Guarantee.PRIVATE_LOOPBACK,
                        Guarantee.PROTECTED_PATHS,
                        Guarantee.CPU_LIMIT);
        assertThat(LandlockPolicyCheck.guarantees(
                        policy().network(NetworkPolicy.open()).build(), Set.of()))
                .contains(Guarantee.UNIX_SOCKETS_OFF)
                .doesNotContain(Guarantee.NETWORK_OFF);
    }
}
