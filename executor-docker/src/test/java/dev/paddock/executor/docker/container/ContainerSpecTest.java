package dev.paddock.executor.docker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the create request that a policy is compiled to: the whole request, so that no field
 * appears or vanishes unnoticed.
 */
class ContainerSpecTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ProtectionPlan NOTHING = ProtectionPlan.NONE;

    @TempDir
    Path directory;

    private static JsonNode compiled(ContainerSpec spec) throws JsonProcessingException {
        return JSON.readTree(spec.request().toString());
    }

    private static ContainerSpec spec(SandboxPolicy policy, String... options) {
        return new ContainerSpec(
                "image",
                policy,
                NOTHING,
                "1000:1001",
                Optional.empty(),
                OwnFiles.NONE,
                Map.of("dev.paddock.owner", "me"),
                ExtraOptions.parse(List.of(options)));
    }

    private SandboxPolicy.Builder policy() throws IOException {
        return SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"));
    }

    @Test
    void defaultsAreHardened() throws Exception {
        ObjectNode compiled = (ObjectNode) compiled(spec(policy().build()));
        // Long texts, each checked by a test of its own.
        ((ArrayNode) compiled.get("Cmd")).set(1, "LEASE");
        ArrayNode security = (ArrayNode) compiled.at("/HostConfig/SecurityOpt");
        assertThat(security.get(1).asText()).isEqualTo(ContainerFilter.OPTION);
        security.set(1, "seccomp=FILTER");
        assertThat(compiled).isEqualTo(JSON.readTree("""
                {
                  "User": "65533:65533",
                  "AttachStdin": true,
                  "AttachStdout": true,
                  "AttachStderr": true,
                  "Tty": false,
                  "OpenStdin": true,
                  "StdinOnce": true,
                  "Cmd": ["-c", "LEASE"],
                  "Healthcheck": {"Test": ["NONE"]},
                  "Image": "image",
                  "WorkingDir": "/",
                  "Entrypoint": ["sh"],
                  "Labels": {"dev.paddock.owner": "me"},
                  "HostConfig": {
                    "AutoRemove": true,
                    "CapDrop": ["ALL"],
                    "Init": true,
                    "IpcMode": "private",
                    "LogConfig": {"Type": "none"},
                    "Mounts": [
                      {"Type": "bind", "Source": "%s", "Target": "/work", "ReadOnly": false}
                    ],
                    "NetworkMode": "none",
                    "PidsLimit": 512,
                    "Privileged": false,
                    "ReadonlyPaths":
                      ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", "/dev"],
                    "ReadonlyRootfs": true,
                    "SecurityOpt": ["no-new-privileges", "seccomp=FILTER"],
                    "Tmpfs": {
                      "/tmp": "rw,exec,nosuid,nodev,size=1073741824,mode=1777",
                      "/home/paddock": "rw,exec,nosuid,nodev,size=1073741824,mode=0700,uid=1000,gid=1001"
                    }
                  }
                }
                """.formatted(directory.toRealPath())));
    }

    @Test
    void openNetworkUsesBridge() throws Exception {
        assertThat(compiled(spec(policy().network(NetworkPolicy.open()).build()))
                        .at("/HostConfig/NetworkMode")
                        .asText())
                .isEqualTo("bridge");
    }

    @Test
    void limitsApplyToMemoryAndSwap() throws Exception {
        ResourceLimits limits = ResourceLimits.none()
                .withMemory(64 << 20)
                .withCpus(1.5)
                .withProcesses(99)
                .withFileSize(1000);
        JsonNode host = compiled(spec(policy().limits(limits).build())).get("HostConfig");
        assertThat(host.get("Memory").asLong()).isEqualTo(64 << 20);
        assertThat(host.get("MemorySwap").asLong()).isEqualTo(64 << 20);
        assertThat(host.get("NanoCpus").asLong()).isEqualTo(1_500_000_000L);
        assertThat(host.get("PidsLimit").asLong()).isEqualTo(99);
        assertThat(host.get("Ulimits").toString()).isEqualTo("[{\"Name\":\"fsize\",\"Soft\":1000,\"Hard\":1000}]");
    }

    @Test
    void protectedPathsBecomeMountsWhereCommandsSeeThem() throws Exception {
        Path root = directory.toRealPath();
        Path common = Path.of("/repo/.git");
        ProtectionPlan plan = new ProtectionPlan(
                List.of(common),
                List.of(root.resolve("nested")),
                List.of(root.resolve(".git"), common.resolve("hooks")),
                List.of("1 2", "1 3"),
                Map.of(common.resolve("hooks"), Path.of("/state/copy")));
        ContainerSpec spec = new ContainerSpec(
                "image",
                policy().build(),
                plan,
                "0:0",
                Optional.of("runc"),
                new OwnFiles(Optional.of(Path.of("/state/keep-alive-1")), Optional.of(Path.of("/state/users-2"))),
                Map.of(),
                ExtraOptions.none());
        JsonNode host = compiled(spec).get("HostConfig");
        assertThat(host.get("Runtime").asText()).isEqualTo("runc");
        assertThat(host.get("Mounts")).isEqualTo(JSON.readTree("""
                [{"Type": "bind", "Source": "ROOT", "Target": "/work", "ReadOnly": false},
                 {"Type": "bind", "Source": "/repo/.git", "Target": "/repo/.git", "ReadOnly": false},
                 {"Type": "bind", "Source": "ROOT/nested", "Target": "/work/nested", "ReadOnly": false},
                 {"Type": "bind", "Source": "ROOT/.git", "Target": "/work/.git", "ReadOnly": true},
                 {"Type": "bind", "Source": "/state/copy", "Target": "/repo/.git/hooks", "ReadOnly": true},
                 {"Type": "bind", "Source": "/state/keep-alive-1", "Target": "/.paddock-keep-alive", "ReadOnly": true},
                 {"Type": "bind", "Source": "/state/users-2", "Target": "/etc/passwd", "ReadOnly": true}]
                """.replace("ROOT", root.toString())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"with space", "quo\"te's", "a,b", "a:b:ro", "new\nline", "é😀", "-v", "type=bind,source=etc"})
    void everyCharacterOfMountPathIsLiteral(String name) throws Exception {
        Path source = Files.createDirectory(directory.toRealPath().resolve(name));
        Mount mount = new Mount(source, "/mnt/" + name, Mount.Access.READ_ONLY);
        JsonNode mounts = compiled(spec(policy().mount(mount).build())).at("/HostConfig/Mounts");
        assertThat(mounts).hasSize(2);
        assertThat(mounts.get(1).get("Source").asText()).isEqualTo(source.toString());
        assertThat(mounts.get(1).get("Target").asText()).isEqualTo("/mnt/" + name);
        assertThat(mounts.get(1).get("ReadOnly").asBoolean()).isTrue();
    }

    @Test
    void allowedOptionsTakeEffectInBothForms() throws Exception {
        JsonNode request = compiled(spec(
                policy().build(),
                "--shm-size=1m",
                "--cpuset-cpus",
                "0-1",
                "--label",
                "a=b=c",
                "-l",
                "d",
                "--read-only",
                "--ulimit",
                "nofile=10:20",
                "--tmpfs",
                "/scratch:size=1m",
                "--stop-timeout=3"));
        assertThat(request.at("/HostConfig/ShmSize").asLong()).isEqualTo(1 << 20);
        assertThat(request.at("/HostConfig/CpusetCpus").asText()).isEqualTo("0-1");
        assertThat(request.at("/Labels/a").asText()).isEqualTo("b=c");
        assertThat(request.at("/Labels/d").asText()).isEmpty();
        assertThat(request.at("/HostConfig/Ulimits/0/Hard").asLong()).isEqualTo(20);
        assertThat(request.at("/HostConfig/Tmpfs/~1scratch").asText()).isEqualTo("size=1m,nosuid,nodev");
        assertThat(request.at("/HostConfig/Tmpfs")).hasSize(3);
        assertThat(request.get("StopTimeout").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--privileged",
                "--privileged=true",
                "--cap-add=ALL",
                "--cap-add ALL",
                "--cap-add=SYS_ADMIN",
                "--security-opt=seccomp=unconfined",
                "--security-opt seccomp=unconfined",
                "--security-opt=apparmor=unconfined",
                "--pid=host",
                "--pid host",
                "--ipc=host",
                "--uts=host",
                "--userns=host",
                "--network=host",
                "--net host",
                "--device=/dev/kvm",
                "--device /dev/kvm",
                "--volume-driver=x",
                "--volume /:/host",
                "-v /:/host",
                "--mount type=bind",
                "--runtime=evil",
                "--rm",
                "--user=0",
                "--oom-kill-disable",
                "--oom-kill-disable=true",
                "alpine",
                "--",
                "-",
                "--=x",
                "--cpus",
                "--cpus=",
                "--cpus=x",
                "--cpus=-1",
                "--pids-limit=-1",
                "--pids-limit=0",
                "--shm-size=lots",
                "--cpuset-cpus=all",
                "--ulimit=nofile",
                "--read-only=false",
                "--label=dev.paddock.owner=x",
                "--tmpfs=/work",
                "--tmpfs=/work/",
                "--tmpfs=/work/.git",
                "--tmpfs=/",
                "--tmpfs=relative",
                "--tmpfs=/a/../work",
                "--tmpfs=/tmp",
                "--memory-swappiness=101",
                "--CPUS=1",
                "--cpus=1 alpine"
            })
    void optionsOutsideTheAllowListAreRefused(String words) {
        assertThatThrownBy(() -> compiled(spec(policy().build(), words.split(" ", -1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("null");
    }
}
