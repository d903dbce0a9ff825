package dev.paddock.executor.docker.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.ProtectionPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the settings that Podman takes in other forms than Docker. */
class PodmanRequestTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private ObjectNode docker(NetworkPolicy network) throws IOException {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"))
                .network(network)
                .build();
        return new ContainerSpec(
                        "image",
                        policy,
                        ProtectionPlan.NONE,
                        "1000:1001",
                        Optional.empty(),
                        OwnFiles.NONE,
                        Map.of(),
                        ExtraOptions.none())
                .request();
    }

    @Test
    void filterIsFileUntilContainerHasStarted() throws Exception {
        try (PodmanRequest podman = new PodmanRequest(directory.resolve("podman"))) {
            JsonNode security =
                    podman.translate(docker(NetworkPolicy.off()), false).at("/HostConfig/SecurityOpt/1");
            Path filter = directory.resolve("podman.json");
            assertThat(security.asText()).isEqualTo("seccomp=" + filter);
            assertThat("seccomp=" + Files.readString(filter)).isEqualTo(ContainerFilter.OPTION);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void directoriesInMemoryHaveNoOwnerAndAreBounded() throws Exception {
        try (PodmanRequest podman = new PodmanRequest(directory.resolve("podman"))) {
            JsonNode mounts =
                    podman.translate(docker(NetworkPolicy.off()), false).at("/HostConfig/Tmpfs");
            assertThat(mounts.path(ContainerSpec.HOME).asText())
                    .isEqualTo("rw,exec,nosuid,nodev,size=1073741824,mode=1777,notmpcopyup");
            assertThat(mounts.properties())
                    .extracting(Map.Entry::getKey)
                    .containsExactlyInAnyOrder(ContainerSpec.HOME, "/tmp", "/run", "/var/tmp");
            assertThat(mounts).allSatisfy(mount -> assertThat(mount.asText()).contains("size="));
        }
    }

    @Test
    void nameServerOfAllowedHostsIsFile() throws Exception {
        try (PodmanRequest podman = new PodmanRequest(directory.resolve("podman"))) {
            JsonNode mounts = podman.translate(docker(NetworkPolicy.allow("example.org")), false)
                    .at("/HostConfig/Mounts");
            JsonNode added = mounts.path(mounts.size() - 1);
            assertThat(added.path("Target").asText()).isEqualTo("/etc/resolv.conf");
            assertThat(Path.of(added.path("Source").asText())).hasContent(AllowedNetwork.resolverConfiguration());
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void engineOfOrdinaryUserKeepsIdsAndNoLimits() throws Exception {
        EngineInfo info = EngineInfo.of(JSON.readTree("""
                {"Rootless": true, "MemoryLimit": true, "SwapLimit": true, "CpuCfsQuota": true, "PidsLimit": true}"""));
        assertThat(info.isRootless()).isTrue();
        assertThat(info.limits()).isEqualTo(new EngineLimits(false, false, false, false));
        for (boolean isRootless : List.of(true, false)) {
            try (PodmanRequest podman = new PodmanRequest(directory.resolve("podman"))) {
                assertThat(podman.translate(docker(NetworkPolicy.off()), isRootless)
                                .at("/HostConfig/UsernsMode")
                                .asText())
                        .isEqualTo(isRootless ? "keep-id" : "");
            }
        }
    }
}
