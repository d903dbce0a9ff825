package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.docker.container.EngineLimits;
import dev.paddock.executor.docker.source.ContainerPolicyCheck;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.sandbox.policy.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerPolicyCheckTest {

    private static final Optional<String> NOT_HERE = Optional.of("the engine is not this machine's own");

    @TempDir
    Path directory;

    private SandboxPolicy.Builder policy() throws IOException {
        return SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"));
    }

    private static List<String> texts(PolicyCheck check) {
        return check.violations().stream().map(Violation::text).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp", "/home/paddock", "/proc"})
    void mountOverContainersOwnIsRefused(String target) throws Exception {
        SandboxPolicy policy = policy().mount(new Mount(Path.of("/usr"), target, Mount.Access.READ_ONLY))
                .build();
        assertThat(texts(ContainerPolicyCheck.managed(policy, NOT_HERE, Optional.empty())))
                .singleElement()
                .asString()
                .startsWith("cannot mount '/usr' at '" + target + "': ");
    }

    @Test
    void everyViolationOfContainerToBeMadeIsReported() throws Exception {
        SandboxPolicy policy = policy().network(NetworkPolicy.allow(List.of("example.org")))
                .mount(new Mount(Path.of("/usr"), "/tmp", Mount.Access.READ_ONLY))
                .limits(ResourceLimits.none().withMemory(64 << 20).withCpus(2))
                .build();
        EngineLimits without = new EngineLimits(false, false, false, false);
        assertThat(String.join("\n", texts(ContainerPolicyCheck.managed(policy, NOT_HERE, Optional.empty(), without))))
                .contains(
                        "example.org",
                        "67108864 bytes: the engine's kernel has no limit for memory",
                        "2.0 CPUs",
                        "'/tmp'");
        assertThat(texts(ContainerPolicyCheck.managed(
                        policy().limits(policy.limits()).build(),
                        NOT_HERE,
                        Optional.empty(),
                        new EngineLimits(true, true, true, false))))
                .isEmpty();
        assertThat(texts(ContainerPolicyCheck.managed(
                        policy().limits(ResourceLimits.none().withProcesses(9)).build(),
                        NOT_HERE,
                        Optional.empty(),
                        without)))
                .as("a limit that the engine does not mention")
                .singleElement()
                .asString()
                .contains("9 processes", "no limit for processes");
    }

    @Test
    void runtimeThatAppliesNoFilterKeepsNoCommandFromUnixSockets() throws Exception {
        SandboxPolicy policy = policy().unixSockets(false).build();
        assertThat(texts(ContainerPolicyCheck.managed(policy, NOT_HERE, Optional.of("runsc"))))
                .singleElement()
                .asString()
                .contains("keep commands from unix sockets", "runsc");
        assertThat(texts(ContainerPolicyCheck.managed(policy, NOT_HERE, Optional.of("runc"))))
                .isEmpty();
    }

    @Test
    void everyViolationOfContainerThatRunsIsReported() throws Exception {
        SandboxPolicy policy = policy().mount(new Mount(Path.of("/usr"), "/data", Mount.Access.READ_ONLY))
                .protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.REQUIRED))
                .limits(ResourceLimits.none().withProcesses(9).withFileSize(512))
                .build();
        assertThat(String.join("\n", texts(ContainerPolicyCheck.attached(policy, Set.of()))))
                .contains("'/data'", "network off", "protected paths", "9 processes", "512 bytes");
        assertThat(texts(ContainerPolicyCheck.attached(policy().build(), Set.of(Guarantee.NETWORK_OFF))))
                .isEmpty();
    }

    @Test
    void paddocksOwnDirectoriesAreNotMounted() throws Exception {
        Path state = PrivateState.root();
        assertThatThrownBy(() -> executorWith(state.resolveSibling("")))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("cannot mount '" + state.resolveSibling("")
                        + "': it contains Paddock's own state directory '" + state + "'");
        executorWith(Path.of("/usr")).dispose();
    }

    private DockerExecutor executorWith(Path mounted) throws IOException {
        Path worktree = Files.createDirectories(directory.toRealPath().resolve("tree"));
        return DockerExecutor.builder()
                .image("image")
                .engine("unix:///nonexistent/docker.sock")
                .policy(SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                        .mount(new Mount(mounted, "/mnt", Mount.Access.READ_ONLY))
                        .build())
                .build();
    }
}
