package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.Ulimit;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Specifies a managed container: a pure function of the policy and the settings.
 *
 * @param image the image to create it from
 * @param policy what it grants
 * @param protection the paths of the worktree that stay unchanged
 * @param user the user that commands run as, as {@code UID:GID}, or in another form of Docker's
 * @param runtime the OCI runtime; empty for the engine's default
 * @param keepAlive the named pipe that keeps the container alive while it is open for writing;
 *     empty to let the attached input do that
 * @param labels identify its owner
 * @param extra more container options
 */
public record ContainerSpec(
        String image,
        SandboxPolicy policy,
        ProtectionPlan protection,
        String user,
        Optional<String> runtime,
        Optional<Path> keepAlive,
        Map<String, String> labels,
        ExtraOptions extra) {

    /** The commands' home directory, a tmpfs. */
    public static final String HOME = "/home/paddock";

    /**
     * The user of the container's main process, never the commands': a command must neither end it,
     * which would end its own sandbox, nor stop it, so that the container would outlive the client.
     * Images name users up to 65532 and 65534, but not this one.
     */
    private static final String KEEP_ALIVE_USER = "65533:65533";

    private static final String OTHER_KEEP_ALIVE_USER = "65531:65531";

    /** The path of the named pipe inside the container. */
    private static final String KEEP_ALIVE_PIPE = "/.paddock-keep-alive";

    /**
     * The main process: it first writes its process id and whether it is filtered, then waits until
     * its input ends, which happens when the client ends: the named pipe, if there is one, or the
     * attached input. An engine may be unable to close the attached input, but passes a line on. It
     * exits on TERM: otherwise an engine that stops would wait 10 s for it.
     */
    public static final List<String> KEEP_ALIVE = List.of("-c", """
            trap '' HUP INT
            while read -r key value; do [ "$key" != Seccomp: ] || filter=$value; done </proc/self/status
            pipe=%s
            if [ -p "$pipe" ] && [ -r "$pipe" ]; then exec <"$pipe"; fi
            echo "lease $$ ${filter-none}"
            while read -r line && [ "$line" != end ]; do :; done""".formatted(KEEP_ALIVE_PIPE));

    /**
     * The read-only paths besides the root: the engine's own list, which is dropped when another
     * list is given, and {@code /dev}. {@code /dev} is a tmpfs that root may write to even without
     * capabilities: a file that a typo puts there is lost, and {@code /dev/null} can be removed,
     * which breaks every other command. Terminals and shared memory are mounts of their own.
     */
    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", "/dev");

    private static final String TMPFS = "rw,exec,nosuid,nodev,size=1073741824";

    /**
     * Creates a specification.
     *
     * @throws IllegalArgumentException if an option would cover a mount or the worktree
     */
    public ContainerSpec {
        extra.requireNoTmpfsOver(policy);
        labels = Map.copyOf(labels);
    }

    /** Applies the specification to a create request. */
    public CreateContainerCmd applyTo(CreateContainerCmd request) {
        request.withImage(image)
                .withEntrypoint("sh")
                .withCmd(KEEP_ALIVE)
                .withUser(user.startsWith("65533") ? OTHER_KEEP_ALIVE_USER : KEEP_ALIVE_USER)
                .withWorkingDir("/")
                .withLabels(new LinkedHashMap<>(labels))
                .withStdinOpen(true)
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withTty(false)
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                .withHostConfig(hostConfig());
        extra.applyTo(request);
        return request;
    }

    private HostConfig hostConfig() {
        HostConfig host = new WithReadOnlyPaths()
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges", ContainerFilter.OPTION))
                .withPrivileged(false)
                .withReadonlyRootfs(true)
                .withInit(true)
                .withAutoRemove(true)
                .withNetworkMode(policy.network() instanceof NetworkPolicy.Open ? "bridge" : "none")
                .withIpcMode("private")
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
                .withTmpFs(tmpfs())
                .withMounts(mounts());
        runtime.ifPresent(host::withRuntime);
        limits(host, policy.limits());
        return host;
    }

    private static void limits(HostConfig host, ResourceLimits limits) {
        host.withPidsLimit((long) limits.processes().orElse(ResourceLimits.DEFAULT_PROCESSES));
        // Equal limits mean no swap: unset, the engine would grant the same amount again as swap.
        limits.memoryBytes().ifPresent(bytes -> host.withMemory(bytes).withMemorySwap(bytes));
        limits.cpus().ifPresent(cpus -> host.withNanoCPUs(Math.round(cpus * 1e9)));
        limits.fileSizeBytes().ifPresent(bytes -> host.withUlimits(List.of(new Ulimit("fsize", bytes, bytes))));
    }

    private Map<String, String> tmpfs() {
        Map<String, String> tmpfs = new LinkedHashMap<>();
        tmpfs.put("/tmp", TMPFS + ",mode=1777");
        tmpfs.put(HOME, TMPFS + homeOwner());
        return tmpfs;
    }

    private String homeOwner() {
        String[] ids = user.split(":", -1);
        if (ids.length == 2 && ids[0].matches("\\d+") && ids[1].matches("\\d+")) {
            return ",mode=0700,uid=" + ids[0] + ",gid=" + ids[1];
        }
        // A user name's id is known in the image only. The container has one user, whoever it is.
        return ",mode=1777";
    }

    /**
     * Returns the mounts in this order; the engine sorts them by depth, so that nested mounts come
     * after the mounts that contain them.
     */
    private List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(bind(policy.worktree().hostPath(), policy.worktree().commandPath(), false));
        for (var mount : policy.mounts()) {
            boolean readOnly = mount.access() == dev.paddock.executor.policy.Mount.Access.READ_ONLY;
            mounts.add(bind(mount.source(), mount.target(), readOnly));
        }
        protection.writable().forEach(path -> mounts.add(bind(path, inside(path), false)));
        protection.pinned().forEach(path -> mounts.add(bind(path, inside(path), false)));
        protection.readOnly().forEach(path -> mounts.add(bind(path, inside(path), true)));
        keepAlive.ifPresent(pipe -> mounts.add(bind(pipe, KEEP_ALIVE_PIPE, true)));
        return mounts;
    }

    /**
     * Returns the path inside the container of a path of the plan: below the worktree, or the same
     * as on the host.
     */
    private String inside(Path path) {
        return policy.worktree().toCommand(path).orElse(path.toString());
    }

    /**
     * Returns a mount of the engine's API, not colon-separated text: a path may contain any
     * character.
     */
    private static Mount bind(Path source, String target, boolean readOnly) {
        return new Mount()
                .withType(MountType.BIND)
                .withSource(source.toString())
                .withTarget(target)
                .withReadOnly(readOnly);
    }

    /** Adds a setting that docker-java does not have. */
    private static final class WithReadOnlyPaths extends HostConfig {
        private static final long serialVersionUID = 1L;

        @Override
        public Map<String, Object> getRawValues() {
            return Map.of("ReadonlyPaths", READ_ONLY);
        }
    }
}
