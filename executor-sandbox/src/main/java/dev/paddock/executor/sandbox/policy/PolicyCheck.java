package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.network.proxy.HostProxy;
import dev.paddock.executor.os.state.StateHome;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a policy with a backend's capabilities and collects every violation, so that the user sees all of them at
 * once, in the same words from every backend. Not thread-safe.
 */
public final class PolicyCheck {
    private final SandboxPolicy policy;
    private final Capabilities capabilities;
    private final List<Violation> violations = new ArrayList<>();

    private PolicyCheck(SandboxPolicy policy, Capabilities capabilities) {
        this.policy = policy;
        this.capabilities = capabilities;
    }

    /**
     * Compares a policy with a backend's capabilities. A best-effort part of the policy is no violation.
     *
     * @param capabilities what the backend can enforce
     * @return the check, with the violations so far
     */
    public static PolicyCheck of(SandboxPolicy policy, Capabilities capabilities) {
        PolicyCheck check = new PolicyCheck(policy, capabilities);
        check.worktree();
        policy.mounts().forEach(check::mount);
        check.network();
        check.unixSockets();
        check.protectedPaths();
        check.hidden();
        check.limits();
        return check;
    }

    /**
     * Adds violations that only the backend can detect.
     *
     * @return this check
     */
    public PolicyCheck and(List<Violation> more) {
        violations.addAll(more);
        return this;
    }

    /**
     * Adds a violation for each mount and worktree that reaches one of Paddock's own directories, including the engines
     * of guests, and for each mount that reaches the worktree under a second name: by path, and by device and inode.
     *
     * @param stateDirectory the directory in which every executor of this user keeps its own files; exists
     * @param quarantine the directory that receives files which commands put at protected paths; need not exist
     * @return this check
     */
    public PolicyCheck apartFrom(Path stateDirectory, Path quarantine) {
        violations.addAll(new GrantedDirectories(policy)
                .violations(
                        stateDirectory,
                        quarantine,
                        StateHome.guests(CallerEnvironment.variables(), System.getProperty("user.home", "?"))));
        return this;
    }

    /** {@return the violations so far, in the order of the policy's parts} */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /**
     * Rejects the policy, unless the backend can enforce all of it.
     *
     * @throws UnsupportedPolicyException if there is a violation; it lists every one
     */
    public void require() {
        Violation.refuse(capabilities.backend(), violations);
    }

    private void lack(Feature feature, String what) {
        capabilities
                .shortfall(feature)
                .ifPresent(shortfall -> violations.add(new Violation(what, shortfall.why(), shortfall.remedy())));
    }

    private void worktree() {
        if (!policy.worktree().isSame()) {
            lack(
                    Feature.WORKTREE_MAPPING,
                    "show the worktree '" + policy.worktree().hostPath() + "' at another path, '"
                            + policy.worktree().commandPath() + "'");
        }
    }

    private void mount(Mount mount) {
        String source = "mount '" + mount.source() + "' ";
        lack(Feature.MOUNTS, source + "at '" + mount.target() + "'");
        if (!RealPaths.of(Path.of(mount.target())).equals(mount.source())) {
            lack(Feature.MOUNT_MAPPING, source + "at another path, '" + mount.target() + "'");
        }
        if (mount.access() == Mount.Access.READ_ONLY) {
            lack(Feature.READ_ONLY_MOUNTS, source + "read-only");
            writableAbove(mount)
                    .forEach(above -> lack(
                            Feature.READ_ONLY_INSIDE_WRITABLE,
                            source + "read-only inside '" + above + "', which is writable"));
        }
    }

    private List<Path> writableAbove(Mount mount) {
        List<Path> writable = new ArrayList<>();
        writable.add(RealPaths.of(policy.worktree().hostPath()));
        policy.mounts().stream()
                .filter(other -> other.access() == Mount.Access.READ_WRITE)
                .forEach(other -> writable.add(other.source()));
        return writable.stream().filter(mount.source()::startsWith).toList();
    }

    private void network() {
        // Not a switch over types: the JDK would generate its classes at each start.
        if (policy.network() instanceof NetworkPolicy.Off) {
            lack(Feature.NETWORK_OFF, "keep the network off");
        } else if (policy.network() instanceof NetworkPolicy.Allow allow) {
            lack(Feature.NETWORK_ALLOW, "limit the network to chosen hosts, " + String.join(", ", allow.hosts()));
            HostProxy.obstacle(allow)
                    .ifPresent(why -> violations.add(new Violation(
                            "reach the allowed hosts through the host's proxy",
                            why,
                            "set HTTPS_PROXY to http://host:port, or leave the proxy out")));
        }
    }

    private void unixSockets() {
        if (policy.unixSockets()) {
            return;
        }
        String what = "keep commands from unix sockets";
        lack(Feature.UNIX_SOCKETS_OFF, what);
        if (policy.network() instanceof NetworkPolicy.Allow) {
            violations.add(new Violation(
                    what,
                    "the sockets of the allowed hosts are handed to the sandbox over one",
                    "set the network to 'off' or 'open', or allow unix sockets"));
        }
    }

    private void protectedPaths() {
        if (policy.protectedPaths().demand() == Enforcement.REQUIRED
                && !policy.protectedPaths().names().isEmpty()) {
            lack(
                    Feature.PROTECTED_PATHS,
                    "keep the protected paths "
                            + String.join(", ", policy.protectedPaths().names()));
        }
    }

    private void hidden() {
        if (!policy.hidden().isEmpty()) {
            lack(Feature.HIDDEN_PATHS, "hide the files " + String.join(", ", policy.hidden()));
        }
    }

    private void limits() {
        ResourceLimits limits = policy.limits();
        if (limits.demand() != Enforcement.REQUIRED) {
            return;
        }
        limits.memoryBytes()
                .ifPresent(bytes -> lack(Feature.MEMORY_LIMIT, "keep a memory limit of " + bytes + " bytes"));
        limits.cpus().ifPresent(number -> lack(Feature.CPU_LIMIT, "keep a limit of " + number + " CPUs"));
        limits.processes().ifPresent(number -> lack(Feature.PROCESS_LIMIT, "keep a limit of " + number + " processes"));
        limits.fileSizeBytes()
                .ifPresent(bytes -> lack(Feature.FILE_SIZE_LIMIT, "keep a file size limit of " + bytes + " bytes"));
    }
}
