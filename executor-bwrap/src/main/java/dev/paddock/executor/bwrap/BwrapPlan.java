package dev.paddock.executor.bwrap;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A sandbox as bubblewrap's complete list of options, in order, without the numbers of descriptors.
 * Two sandboxes whose plans are equal differ only in the processes that run in them.
 *
 * @param arguments the options
 */
record BwrapPlan(List<String> arguments) {

    static final String HOME = "/home/paddock";

    private static final String HOST_NAME = "paddock";

    /** Enough for browsers and databases, but too little to fill the machine's memory. */
    private static final long SHM_BYTES = 1L << 30;

    /** The network namespace that a sandbox is in. */
    enum Network {
        /** The host's. */
        HOST,
        /** The one that bubblewrap is started in: the executor's. */
        JOINED,
        /** A new one, with only its own loopback. */
        OWN
    }

    BwrapPlan {
        arguments = List.copyOf(arguments);
    }

    /**
     * Compiles a policy.
     *
     * @param policy the policy; its network decides between the host's and another
     * @param system the parts of the system to show
     * @param own the executor's own directories
     * @param overlays the mounts that protect paths of the worktree, and the git directories behind
     *     it, in order
     * @param network the namespace
     * @param exists returns whether a file of the host exists
     * @return the plan
     * @throws UnsupportedPolicyException if bubblewrap cannot enforce the policy
     */
    static BwrapPlan of(
            SandboxPolicy policy,
            SystemView system,
            PrivateDirectories own,
            List<Overlay> overlays,
            Network network,
            Predicate<Path> exists) {
        Compiler compiler = new Compiler(policy, own, exists);
        BwrapPlan plan = compiler.compile(system, overlays, network);
        Violation.refuse(BwrapProvider.NAME, compiler.violations);
        return plan;
    }

    /**
     * Returns the policy's mounts that cannot be made: bubblewrap would have to create a mount
     * point for them on the host, or they cover directories that the kernel provides.
     *
     * @param policy the policy
     * @param system the parts of the system to show
     * @param exists returns whether a file of the host exists
     * @return all of them
     */
    static List<Violation> violations(SandboxPolicy policy, SystemView system, Predicate<Path> exists) {
        Path absent = Path.of("");
        Compiler compiler = new Compiler(policy, new PrivateDirectories(absent, absent, absent), exists);
        compiler.compile(system, List.of(), Network.OWN);
        return compiler.violations;
    }

    /** Collects the options. A later mount covers an earlier one. */
    private static final class Compiler {
        private final SandboxPolicy policy;
        private final PrivateDirectories own;
        private final Predicate<Path> exists;
        private final List<String> arguments = new ArrayList<>();
        private final List<Overlay> binds = new ArrayList<>();
        private final List<Violation> violations = new ArrayList<>();

        Compiler(SandboxPolicy policy, PrivateDirectories own, Predicate<Path> exists) {
            this.policy = policy;
            this.own = own;
            this.exists = exists;
        }

        BwrapPlan compile(SystemView system, List<Overlay> overlays, Network network) {
            isolate(network);
            show(system);
            specialFileSystems();
            bind(new Overlay(own.tmp(), "/tmp", true));
            bind(new Overlay(own.home(), HOME, true));
            add("--symlink", "/tmp", "/var/tmp");
            grant(overlays);
            // The root and /etc are writable until here, so that bubblewrap can create the mount
            // points in them.
            add("--remount-ro", "/etc");
            add("--remount-ro", "/");
            return new BwrapPlan(arguments);
        }

        private void isolate(Network network) {
            add("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try");
            if (network == Network.OWN) {
                add("--unshare-net");
            }
            // Without further user namespaces no process inside becomes root of one. As root,
            // bubblewrap would leave its own capabilities to the command. A session of its own
            // keeps the command from the JVM's terminal.
            add("--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent");
            add("--hostname", HOST_NAME);
        }

        private void show(SystemView system) {
            system.links().forEach((name, target) -> add("--symlink", target, name));
            bind(new Overlay(own.etc(), "/etc", true));
            for (String directory : system.directories()) {
                bind(new Overlay(Path.of(directory), directory, false));
            }
        }

        private void specialFileSystems() {
            // Root without capabilities is still the owner of /proc/sys, and could set the program
            // that the host's kernel starts for a core dump. Tests show that bubblewrap covers less
            // of it than it seems to.
            add("--proc", "/proc", "--remount-ro", "/proc");
            add("--dev", "/dev");
            add("--perms", "1777", "--size", Long.toString(SHM_BYTES), "--tmpfs", "/dev/shm");
            add("--remount-ro", "/dev"); // /dev is a tmpfs, which would accept any file
        }

        /**
         * Adds the mounts, parents before the paths in them, whatever their access: a read-only
         * path inside stays read-only.
         */
        private void grant(List<Overlay> overlays) {
            List<Overlay> granted = new ArrayList<>();
            for (Mount mount : policy.mounts()) {
                granted.add(new Overlay(mount.source(), mount.target(), mount.access() == Mount.Access.READ_WRITE));
            }
            granted.add(
                    new Overlay(policy.worktree().hostPath(), policy.worktree().commandPath(), true));
            granted.sort(Comparator.comparingInt(Compiler::depth));
            granted.forEach(this::bindAt);
            overlays.forEach(this::bindAt);
        }

        private static int depth(Overlay bind) {
            return (int) bind.target().chars().filter(letter -> letter == '/').count();
        }

        private void bindAt(Overlay bind) {
            requirePlace(bind);
            bind(bind);
        }

        private void bind(Overlay bind) {
            add(bind.writable() ? "--bind" : "--ro-bind", bind.source().toString(), bind.target());
            binds.add(bind);
        }

        /**
         * Checks a mount's target. Bubblewrap creates missing mount points, but must not create any
         * in the host's own directories.
         */
        private void requirePlace(Overlay bind) {
            String target = bind.target();
            if (target.equals("/")) {
                refuse(bind, "it would cover the system that commands need", "choose a directory below");
                return;
            }
            for (String kernel : List.of("/proc", "/dev")) {
                if (isWithin(kernel, target)) {
                    refuse(bind, kernel + " is provided by the kernel", "choose a target outside of it");
                    return;
                }
            }
            Optional<Overlay> below = binds.stream()
                    .filter(other -> isWithin(other.target(), target))
                    .reduce((covered, covering) -> covering);
            below.filter(other -> !own.owns(other.source()) && !other.target().equals(target))
                    .ifPresent(other -> requireThere(other, bind));
        }

        private void requireThere(Overlay below, Overlay bind) {
            Path mountPoint = below.source()
                    .resolve(bind.target().substring(below.target().length() + 1));
            if (!exists.test(mountPoint)) {
                refuse(
                        bind,
                        "there is no '" + mountPoint + "' to mount it on, and none is made on the host",
                        "make it, or choose another target");
            }
        }

        private void refuse(Overlay bind, String why, String remedy) {
            violations.add(new Violation("mount '" + bind.source() + "' at '" + bind.target() + "'", why, remedy));
        }

        private static boolean isWithin(String parent, String path) {
            return path.equals(parent) || path.startsWith(parent + "/");
        }

        private void add(String... options) {
            arguments.addAll(List.of(options));
        }
    }
}
