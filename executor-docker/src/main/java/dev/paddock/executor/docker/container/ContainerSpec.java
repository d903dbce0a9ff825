package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.HiddenPaths;
import dev.paddock.executor.worktree.ProtectionPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Specifies a managed container: a pure function of the policy and the settings.
 *
 * @param image the image to create it from
 * @param policy what it grants
 * @param protection the paths of the worktree that stay unchanged
 * @param user the commands' user, as {@code UID:GID}, or in another form of Docker's
 * @param runtime the OCI runtime; empty for the engine's default
 * @param files files of this machine that it mounts
 * @param labels identify its owner
 * @param extra more container options
 */
public record ContainerSpec(
        String image,
        SandboxPolicy policy,
        ProtectionPlan protection,
        String user,
        Optional<String> runtime,
        OwnFiles files,
        Map<String, String> labels,
        ExtraOptions extra) {

    /** The commands' home directory, a tmpfs. */
    public static final String HOME = dev.paddock.executor.policy.Mount.HOME;

    /**
     * The user of the container's main process, never the commands': a command must not be able to end that process,
     * which ends the sandbox, or to stop it, after which the container could outlive the client. Images name users up
     * to 65532 and 65534, but not this one.
     */
    private static final String KEEP_ALIVE_USER = "65533:65533";

    private static final String OTHER_KEEP_ALIVE_USER = "65531:65531";

    /** The path of the named pipe inside the container. */
    private static final String KEEP_ALIVE_PIPE = "/.paddock-keep-alive";

    /**
     * The main process: it first writes its process id and whether it is filtered, then waits until its input ends,
     * which happens when the client exits: the named pipe, if there is one, or the attached input. The line {@code end}
     * also ends the wait, for an engine that cannot close the attached input. It exits on TERM: otherwise an engine
     * that stops would wait 10 s for it.
     */
    public static final List<String> KEEP_ALIVE = List.of("-c", """
            trap '' HUP INT
            while read -r key value; do [ "$key" != Seccomp: ] || filter=$value; done </proc/self/status
            pipe=%s
            if [ -p "$pipe" ] && [ -r "$pipe" ]; then exec <"$pipe"; fi
            echo "lease $$ ${filter-none}"
            while read -r line && [ "$line" != end ]; do :; done""".formatted(KEEP_ALIVE_PIPE));

    /**
     * The read-only paths besides the root: the engine's own list, which is dropped when another list is given, and
     * {@code /dev}. {@code /dev} is a tmpfs that root may write to even without capabilities: a file that a typo puts
     * there is lost, and {@code /dev/null} can be removed, which breaks every other command. Terminals and shared
     * memory have their own mounts.
     */
    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", "/dev");

    static final String HOST = "HostConfig";

    /** Covers a hidden file, which then reads as empty. */
    private static final Path NOTHING = Path.of("/dev/null");

    /** The size of {@code /tmp} and of the home directory. */
    public static final long TMPFS_BYTES = 1L << 30;

    static final String TMPFS = tmpfs(TMPFS_BYTES, true);

    /**
     * Creates a specification.
     *
     * @throws IllegalArgumentException if an option would cover a mount or the worktree, or connect a container whose
     *     network is not open
     */
    public ContainerSpec {
        extra.requireNoTmpfsOver(policy);
        if (extra.network().isPresent() && !(policy.network() instanceof NetworkPolicy.Open)) {
            throw new IllegalArgumentException("the network '" + extra.network().get()
                    + "' is for containers with the network open: open it, or leave the setting out");
        }
        labels = Map.copyOf(labels);
    }

    /** Returns the create request, in the engine's form. */
    public ObjectNode request() {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("Image", image);
        request.putArray("Entrypoint").add("sh");
        KEEP_ALIVE.forEach(request.putArray("Cmd")::add);
        request.put("User", user.startsWith("65533") ? OTHER_KEEP_ALIVE_USER : KEEP_ALIVE_USER);
        request.put("WorkingDir", "/");
        labels.forEach(request.putObject("Labels")::put);
        request.put("OpenStdin", true).put("StdinOnce", true);
        request.put("AttachStdin", true).put("AttachStdout", true).put("AttachStderr", true);
        request.put("Tty", false);
        request.putObject("Healthcheck").putArray("Test").add("NONE");
        host(request.putObject(HOST));
        extra.applyTo(request);
        return request;
    }

    private void host(ObjectNode host) {
        host.putArray("CapDrop").add("ALL");
        host.putArray("SecurityOpt").add("no-new-privileges").add(ContainerFilter.option(policy));
        host.put("Privileged", false).put("ReadonlyRootfs", !extra.writableRoot());
        READ_ONLY.forEach(host.putArray("ReadonlyPaths")::add);
        host.put("Init", true).put("AutoRemove", true);
        host.put(
                "NetworkMode",
                policy.network() instanceof NetworkPolicy.Open ? extra.network().orElse("bridge") : "none");
        if (policy.network() instanceof NetworkPolicy.Allow) {
            host.putArray("Dns").add(AllowedNetwork.nameServer());
        }
        host.put("IpcMode", "private");
        host.putObject("LogConfig").put("Type", "none");
        host.putObject("Tmpfs").put("/tmp", extra.tmp() + ",mode=1777").put(HOME, TMPFS + homeOwner());
        addMounts(host.putArray("Mounts"));
        runtime.ifPresent(name -> host.put("Runtime", name));
        addLimits(host, policy.limits());
    }

    private static void addLimits(ObjectNode host, ResourceLimits limits) {
        host.put("PidsLimit", limits.processes().orElse(ResourceLimits.DEFAULT_PROCESSES));
        // Equal limits mean no swap: unset, the engine would grant the same amount again as swap.
        limits.memoryBytes().ifPresent(bytes -> host.put("Memory", bytes).put("MemorySwap", bytes));
        limits.cpus().ifPresent(cpus -> host.put("NanoCpus", Math.round(cpus * 1e9)));
        limits.fileSizeBytes()
                .ifPresent(bytes -> host.putArray("Ulimits")
                        .addObject()
                        .put("Name", "fsize")
                        .put("Soft", bytes)
                        .put("Hard", bytes));
    }

    static String tmpfs(long bytes, boolean exec) {
        return "rw," + (exec ? "exec" : "noexec") + ",nosuid,nodev,size=" + bytes;
    }

    private String homeOwner() {
        String[] ids = user.split(":", -1);
        if (ids.length == 2 && ids[0].matches("\\d+") && ids[1].matches("\\d+")) {
            return ",mode=0700,uid=" + ids[0] + ",gid=" + ids[1];
        }
        // The id of a named user is known only in the image; mode 1777 serves any id.
        return ",mode=1777";
    }

    /**
     * Adds the mounts in this order; the engine sorts them by depth, so that nested mounts follow those that contain
     * them.
     */
    private void addMounts(ArrayNode mounts) {
        mounts.add(bind(policy.worktree().hostPath(), policy.worktree().commandPath(), false));
        for (var mount : policy.mounts()) {
            mounts.add(bind(mount.source(), mount.target(), mount.access() == Mount.Access.READ_ONLY));
        }
        protection.writable().forEach(path -> mounts.add(bind(path, inside(path), false)));
        protection.pinned().forEach(path -> mounts.add(bind(path, inside(path), false)));
        protection.readOnly().forEach(path -> mounts.add(bind(protection.source(path), inside(path), true)));
        mask(mounts);
        files.keepAlive().ifPresent(pipe -> mounts.add(bind(pipe, KEEP_ALIVE_PIPE, true)));
        files.users().ifPresent(list -> mounts.add(bind(list, UserList.PATH, true)));
    }

    private void mask(ArrayNode mounts) {
        HiddenPaths hidden = HiddenPaths.find(policy, Engine.BACKEND);
        for (HiddenPaths.Pin pin : hidden.pinned()) {
            if (!protection.pinned().contains(pin.host())) {
                mounts.add(bind(pin.host(), pin.target(), false));
            }
        }
        hidden.files().forEach(target -> mounts.add(bind(NOTHING, target, true)));
        for (String target : hidden.directories()) {
            ObjectNode mount = mounts.addObject()
                    .put("Type", "tmpfs")
                    .put("Target", target)
                    .put("ReadOnly", true);
            mount.putObject("TmpfsOptions").put("SizeBytes", 4096).put("Mode", 0);
        }
    }

    /** Returns the container's path of a path of the plan: below the worktree, or the same as on the host. */
    private String inside(Path path) {
        return policy.worktree().toCommand(path).orElse(path.toString());
    }

    /** Returns a mount of the engine's API, not colon-separated text: a path may contain any character. */
    static ObjectNode bind(Path source, String target, boolean readOnly) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("Type", "bind")
                .put("Source", source.toString())
                .put("Target", target)
                .put("ReadOnly", readOnly);
    }
}
