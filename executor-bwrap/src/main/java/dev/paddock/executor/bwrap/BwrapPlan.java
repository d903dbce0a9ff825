package dev.paddock.executor.bwrap;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.HiddenPaths;
import dev.paddock.executor.sandbox.policy.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox as bubblewrap's complete, ordered list of options, without descriptor numbers. Sandboxes with equal plans
 * differ only in their processes.
 *
 * @param arguments the options
 * @param places directories below the executor's own that must exist before bubblewrap starts, parents first
 */
record BwrapPlan(List<String> arguments, List<Path> places) {
    // Written out: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BwrapPlan that && arguments.equals(that.arguments) && places.equals(that.places);
    }

    @Override
    public int hashCode() {
        return 31 * arguments.hashCode() + places.hashCode();
    }

    static final String HOME = Mount.HOME;

    private static final String HOST_NAME = "paddock";

    /** Enough for browsers and databases, too little to fill the machine's memory. */
    private static final long SHM_BYTES = 1L << 30;

    /** The network namespace of a sandbox. */
    enum Network {
        /** The host's. */
        HOST,
        /** The one in which bubblewrap is started: the executor's. */
        JOINED,
        /** A new one, with only its own loopback. */
        OWN
    }

    /**
     * The host's files, as far as a plan depends on them.
     *
     * @param exists whether a file or directory exists, also through a link
     * @param isReal whether one exists, and neither it nor an ancestor is a link
     */
    record HostFiles(Predicate<Path> exists, Predicate<Path> isReal) {
        static final HostFiles NOW = new HostFiles(Files::exists, HostFiles::isReal);

        private static boolean isReal(Path path) {
            try {
                return path.toRealPath().equals(path);
            } catch (IOException absent) {
                return false;
            }
        }
    }

    BwrapPlan {
        arguments = List.copyOf(arguments);
        places = List.copyOf(places);
    }

    /**
     * Compiles a policy.
     *
     * @param system the parts of the system to show
     * @param own the executor's own directories
     * @param overlays the mounts that protect paths of the worktree and its git directories, in order
     * @param hidden the paths that commands cannot read
     * @param network the namespace
     * @param files the host's files
     * @throws UnsupportedPolicyException if bubblewrap cannot enforce the policy
     */
    static BwrapPlan of(
            SandboxPolicy policy,
            SystemView system,
            PrivateDirectories own,
            List<Overlay> overlays,
            HiddenPaths hidden,
            Network network,
            HostFiles files) {
        Compiler compiler = new Compiler(policy, system, own, files);
        BwrapPlan plan = compiler.compile(overlays, hidden, network);
        Violation.refuse(BwrapProvider.NAME, compiler.violations);
        return plan;
    }

    /**
     * Returns the policy's mounts that cannot be made: bubblewrap would have to create a mount point on the host, or
     * they cover directories that the kernel provides.
     */
    static List<Violation> violations(SandboxPolicy policy, SystemView system, HostFiles files) {
        PrivateDirectories none = new PrivateDirectories(Path.of("tmp"), Path.of("home"), Path.of("etc"));
        Compiler compiler = new Compiler(policy, system, none, files);
        compiler.compile(List.of(), HiddenPaths.NONE, Network.OWN);
        return compiler.violations;
    }

    /** Collects the options. A later mount covers an earlier one. */
    private static final class Compiler {
        private final SandboxPolicy policy;
        private final SystemView system;
        private final PrivateDirectories own;
        private final HostFiles files;
        private final List<String> arguments = new ArrayList<>();
        private final List<Path> places = new ArrayList<>();
        private final List<Overlay> binds = new ArrayList<>();
        private final List<Violation> violations = new ArrayList<>();

        Compiler(SandboxPolicy policy, SystemView system, PrivateDirectories own, HostFiles files) {
            this.policy = policy;
            this.system = system;
            this.own = own;
            this.files = files;
        }

        BwrapPlan compile(List<Overlay> overlays, HiddenPaths hidden, Network network) {
            isolate(network);
            show();
            specialFileSystems();
            bind(new Overlay(own.tmp(), "/tmp", true));
            bind(new Overlay(own.home(), HOME, true));
            // Not a link: bubblewrap would follow it when it creates a mount point below.
            bind(new Overlay(own.tmp(), "/var/tmp", true));
            grant(overlays, hidden.pinned());
            mask(hidden);
            policy.alias().ifPresent(this::link);
            // The root and /etc are writable until here, so that bubblewrap can create mount points in them.
            if (isOwn("/etc") && !system.layered()) {
                add("--remount-ro", "/etc");
            }
            if (!system.layered()) {
                add("--remount-ro", "/");
            }
            return new BwrapPlan(arguments, places);
        }

        /** Returns whether commands see one of the executor's own directories at a path. */
        private boolean isOwn(String target) {
            return binds.stream()
                    .filter(bind -> bind.target().equals(target))
                    .allMatch(bind -> own.owns(bind.source()));
        }

        private void isolate(Network network) {
            add("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try");
            if (network == Network.OWN) {
                add("--unshare-net");
            }
            // Without further user namespaces no process inside becomes root of one. Started as root, bubblewrap would
            // leave its capabilities to the command. A new session separates the command from the JVM's terminal.
            add("--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent");
            add("--hostname", HOST_NAME);
        }

        private void show() {
            system.links().forEach((name, target) -> add("--symlink", target, name));
            showSystem(new Overlay(own.etc(), "/etc", true));
            for (String directory : system.directories()) {
                showSystem(new Overlay(Path.of(directory), directory, false));
            }
        }

        private void showSystem(Overlay bind) {
            if (system.layered()) {
                add("--overlay-src", bind.source().toString(), "--tmp-overlay", bind.target());
                binds.add(bind);
            } else {
                bind(bind);
            }
        }

        private void specialFileSystems() {
            // Root without capabilities still owns /proc/sys, and could set the program that the host's kernel starts
            // for a core dump. Tests show that bubblewrap covers less of it than it seems to.
            add("--proc", "/proc", "--remount-ro", "/proc");
            add("--dev", "/dev");
            add("--perms", "1777", "--size", Long.toString(SHM_BYTES), "--tmpfs", "/dev/shm");
            add("--remount-ro", "/dev"); // a tmpfs, which would accept any file
        }

        /**
         * Adds the mounts, parents first, whatever their access: a read-only path inside stays read-only. Pinned
         * directories are mounted here, and again among the overlays if an overlay covers them.
         */
        private void grant(List<Overlay> overlays, List<HiddenPaths.Pin> pinned) {
            List<Overlay> pins = pinned.stream()
                    .map(pin -> new Overlay(pin.host(), pin.target(), true))
                    .toList();
            List<Overlay> granted = new ArrayList<>(pins);
            for (Mount mount : policy.mounts()) {
                granted.add(new Overlay(mount.source(), mount.target(), mount.access() == Mount.Access.READ_WRITE));
            }
            granted.add(
                    new Overlay(policy.worktree().hostPath(), policy.worktree().commandPath(), true));
            granted.sort((one, other) -> Integer.compare(depth(one), depth(other)));
            granted.forEach(bind -> bindAt(bind, files.isReal()));
            withPins(overlays, pins).forEach(bind -> bindAt(bind, files.exists()));
        }

        /** Adds the pins that a writable overlay would cover, by depth, before the read-only overlays. */
        private static List<Overlay> withPins(List<Overlay> overlays, List<Overlay> pins) {
            List<Overlay> covered = pins.stream()
                    .filter(pin -> overlays.stream()
                            .anyMatch(other -> other.writable()
                                    && isWithin(other.target(), pin.target())
                                    && !other.target().equals(pin.target())))
                    .toList();
            if (covered.isEmpty()) {
                return overlays;
            }
            List<Overlay> all = new ArrayList<>(covered);
            overlays.stream().filter(Overlay::writable).forEach(all::add);
            all.sort((one, other) -> Integer.compare(depth(one), depth(other)));
            overlays.stream().filter(overlay -> !overlay.writable()).forEach(all::add);
            return all;
        }

        /**
         * Covers hidden files with a device that bubblewrap's mounts do not open, and hidden directories with one that
         * nobody may enter. A mount point cannot be renamed or removed.
         */
        private void mask(HiddenPaths hidden) {
            hidden.files().forEach(target -> add("--ro-bind", "/dev/null", target));
            hidden.directories().forEach(target -> add("--perms", "0000", "--tmpfs", target, "--remount-ro", target));
        }

        /**
         * Links the worktree's other name to it, if the name lies in the sandbox's own root and no mount or system link
         * covers it. {@link PrivateDirectories} creates the link in /tmp.
         */
        private void link(String name) {
            boolean isFree = Stream.concat(
                            Stream.of("/proc", "/dev"),
                            Stream.concat(
                                    system.links().keySet().stream(),
                                    binds.stream().map(Overlay::target)))
                    .noneMatch(other -> isWithin(other, name) || isWithin(name, other));
            if (isFree) {
                add("--symlink", policy.worktree().commandPath(), name);
            }
        }

        private static int depth(Overlay bind) {
            return (int) bind.target().chars().filter(letter -> letter == '/').count();
        }

        private void bindAt(Overlay given, Predicate<Path> isThere) {
            Overlay bind = new Overlay(given.source(), system.followLinks(given.target()), given.writable());
            requirePlace(bind, isThere);
            below(bind).ifPresent(other -> pinBetween(other, bind));
            bind(bind);
        }

        /** Returns the last mount that covers a mount point; empty if it has the same target. */
        private Optional<Overlay> below(Overlay bind) {
            return binds.stream()
                    .filter(other -> isWithin(other.target(), bind.target()))
                    .reduce((covered, covering) -> covering)
                    .filter(other -> !other.target().equals(bind.target()));
        }

        /**
         * Bind-mounts each directory between a writable directory and a mount point in it onto itself, so that no
         * command can replace one with a link: bubblewrap follows links when it creates a mount point, even to the
         * host's files. The worktree's guard lists such directories for mounts in the worktree.
         */
        private void pinBetween(Overlay outer, Overlay inner) {
            boolean canChange = outer.writable()
                    && !outer.source().equals(own.etc())
                    && !inner.target().startsWith(policy.worktree().commandPath() + "/");
            int last = inner.target().lastIndexOf('/');
            int next = inner.target().indexOf('/', outer.target().length() + 1);
            while (canChange && next >= 0 && next <= last) {
                String target = inner.target().substring(0, next);
                Path source =
                        outer.source().resolve(target.substring(outer.target().length() + 1));
                if (own.owns(source)) {
                    places.add(source);
                }
                bind(new Overlay(source, target, true));
                next = inner.target().indexOf('/', next + 1);
            }
        }

        private void bind(Overlay bind) {
            add(bind.writable() ? "--bind" : "--ro-bind", bind.source().toString(), bind.target());
            binds.add(bind);
        }

        /**
         * Checks a mount's target. Bubblewrap creates missing mount points, but must create none in the host's
         * directories.
         */
        private void requirePlace(Overlay bind, Predicate<Path> isThere) {
            String target = bind.target();
            if (target.equals("/")) {
                refuse(bind, "it would cover the system that commands need", "choose a subdirectory");
                return;
            }
            for (String kernel : List.of("/proc", "/dev")) {
                if (isWithin(kernel, target)) {
                    refuse(bind, kernel + " is provided by the kernel", "choose a target outside of it");
                    return;
                }
            }
            below(bind)
                    .filter(other -> !own.owns(other.source()))
                    .ifPresent(other -> requireThere(other, bind, isThere));
        }

        private void requireThere(Overlay below, Overlay bind, Predicate<Path> isThere) {
            Path place = below.source()
                    .resolve(bind.target().substring(below.target().length() + 1));
            if (isThere.test(place)) {
                return;
            }
            if (files.exists().test(place)) {
                refuse(bind, "'" + place + "', its mount point, is reached through a link", "choose another target");
            } else {
                refuse(
                        bind,
                        "there is no '" + place + "' on the host to mount it on, and Paddock creates none there",
                        "create it, or choose another target");
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
