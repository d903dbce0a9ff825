package dev.paddock.executor.seatbelt;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A policy compiled to a profile for {@code sandbox-exec}, which denies every operation that it
 * does not allow.
 *
 * <p>The last matching rule for an operation applies. Sources disagree on whether a
 * rule for a family of operations, such as {@code file-write*}, can revoke what an earlier rule for
 * a member allowed. So no rule here depends on it: a grant of one rule is revoked by a rule for the
 * same operations, or by a later one for a member that no rule allows on its own.
 *
 * @param text the profile
 */
record SeatbeltProfile(String text) {

    private static final String READ = "file-read*";
    private static final String RUN = "file-read* file-map-executable process-exec*";

    /**
     * A hard link is a way to write to the original, so the kernel checks {@code file-link}
     * for both names.
     */
    private static final String CHANGE = "file-read* file-write* file-link file-map-executable process-exec*";

    private static final String KEEP = "file-write* file-link";

    /**
     * Covers renaming, too: the kernel checks removal at the old path and creation at the new one.
     */
    private static final String REMOVE = "file-write-unlink";

    /**
     * The paths to which a policy is compiled. Real paths, except for the worktree's other name.
     *
     * @param worktree the worktree
     * @param home the executor's directory that is the commands' home
     * @param gitDirectories the git directories of a linked worktree
     * @param refused the paths in the worktree and those directories that commands must not change,
     *     whether they exist or not
     * @param proxyPort the port of the loopback at which the proxy of allowed hosts listens; empty if the
     *     policy has none
     */
    record Surroundings(
            Path worktree, Path home, List<Path> gitDirectories, List<Path> refused, OptionalInt proxyPort) {
        Surroundings {
            gitDirectories = List.copyOf(gitDirectories);
            refused = List.copyOf(refused);
        }
    }

    private record Grant(String path, boolean writable) {}

    /**
     * Compiles a policy.
     *
     * @param policy the policy; a {@linkplain SeatbeltPolicyCheck supported} one
     * @param around the paths to which it is compiled
     * @return the profile; equal for equal arguments
     */
    static SeatbeltProfile compile(SandboxPolicy policy, Surroundings around) {
        Sbpl rules = new Sbpl();
        List<Grant> grants = grants(policy, around);
        processes(rules);
        system(rules);
        boolean open = policy.network() instanceof NetworkPolicy.Open;
        services(rules, open);
        if (open) {
            network(rules);
        }
        around.proxyPort().ifPresent(port -> proxy(rules, port));
        ways(rules, policy, around, grants);
        grant(rules, grants);
        refuse(rules, around, grants);
        return new SeatbeltProfile(rules.toString());
    }

    /** Returns the grants, outer before inner, so that the inner one applies. */
    private static List<Grant> grants(SandboxPolicy policy, Surroundings around) {
        List<Grant> grants = new ArrayList<>();
        for (Mount mount : policy.mounts()) {
            grants.add(new Grant(mount.source().toString(), mount.access() == Mount.Access.READ_WRITE));
        }
        Stream.concat(Stream.of(around.worktree(), around.home()), around.gitDirectories().stream())
                .forEach(path -> grants.add(new Grant(path.toString(), true)));
        grants.sort(Comparator.comparing(Grant::path));
        return grants;
    }

    private static void processes(Sbpl rules) {
        rules.heading("Processes: those of the same sandbox, which a command's descendants cannot leave.");
        rules.everywhere("process-fork");
        rules.allow("process-info*", List.of("(target same-sandbox)"));
        rules.allow("signal", List.of("(target same-sandbox)"));
    }

    private static void system(Sbpl rules) {
        rules.heading("The system: programs, and what they look up.");
        rules.allow(RUN, all(MacSystem.PROGRAMS, Sbpl::subpath));
        rules.deny(RUN, all(MacSystem.CLOSED, Sbpl::subpath));
        rules.allow(READ, all(MacSystem.READABLE, Sbpl::subpath));
        rules.allow(READ, all(MacSystem.FILES, Sbpl::literal));
        rules.heading("Devices.");
        rules.allow("file-read* file-write-data", all(MacSystem.SINKS, Sbpl::literal));
        rules.allow(READ, all(MacSystem.SOURCES, Sbpl::literal));
        rules.allow("file-read* file-write-data", List.of(Sbpl.subpath(MacSystem.DESCRIPTORS)));
        rules.allow("file-read* file-write-data file-ioctl", List.of(Sbpl.literal(MacSystem.LOADERS)));
    }

    private static void services(Sbpl rules, boolean open) {
        rules.heading("Of the kernel and of services, by name.");
        List<String> sysctls = new ArrayList<>(all(MacSystem.SYSCTLS, name -> Sbpl.filter("sysctl-name", name)));
        sysctls.addAll(all(MacSystem.SYSCTL_FAMILIES, name -> Sbpl.filter("sysctl-name-prefix", name)));
        if (open) {
            sysctls.add(Sbpl.filter("sysctl-name-prefix", MacSystem.NETWORK_SYSCTLS));
        }
        rules.allow("sysctl-read", sysctls);
        List<String> services = new ArrayList<>(MacSystem.SERVICES);
        if (open) {
            services.addAll(MacSystem.NETWORK_SERVICES);
        }
        rules.allow("mach-lookup", all(services, name -> Sbpl.filter("global-name", name)));
        rules.allow("ipc-posix-shm-read-data", List.of(Sbpl.filter("ipc-posix-name", MacSystem.SHARED_NOTICES)));
        rules.heading("Python's locks between processes.");
        rules.allow("ipc-posix-sem", List.of("(ipc-posix-name-regex #\"^/mp-\")"));
    }

    /**
     * Allows the network. Unix sockets are not of the IP family: connecting to one is an outbound
     * connection to its path.
     */
    private static void network(Sbpl rules) {
        rules.heading("The network is open; of unix sockets, the one that looks up names.");
        rules.allow("network-outbound", List.of("(remote ip)", Sbpl.literal(MacSystem.NAME_LOOKUP)));
        rules.allow("network-bind network-inbound", List.of("(local ip)"));
        rules.allow("system-socket", List.of("(require-all (socket-domain AF_SYSTEM) (socket-protocol 2))"));
    }

    /**
     * Allows connections to the proxy of allowed hosts. Name lookup, configuration and trust stay
     * denied: those services reach the network on a program's behalf. A rule for addresses has
     * {@code localhost} or {@code *}, and no other.
     */
    private static void proxy(Sbpl rules, int port) {
        rules.heading("The network of allowed hosts: the port of their proxy, and nothing else.");
        rules.allow("network-outbound", List.of("(remote ip " + Sbpl.quote("localhost:" + port) + ")"));
    }

    /** Allows reading the metadata, but not the entries, of each directory above a granted path. */
    private static void ways(Sbpl rules, SandboxPolicy policy, Surroundings around, List<Grant> grants) {
        rules.heading("On the way: what a path leads through.");
        Set<String> ways = new TreeSet<>(MacSystem.LINKS);
        Stream.of(MacSystem.PROGRAMS, MacSystem.READABLE, MacSystem.FILES, MacSystem.SINKS)
                .flatMap(List::stream)
                .forEach(path -> ways.addAll(above(path)));
        grants.forEach(grant -> ways.addAll(above(grant.path())));
        // The policy's path of the worktree may lead through links.
        String given = policy.worktree().hostPath().toString();
        ways.addAll(above(given));
        if (!given.equals(around.worktree().toString())) {
            ways.add(given);
        }
        rules.allow("file-read-metadata", all(ways, Sbpl::literal));
    }

    private static void grant(Sbpl rules, List<Grant> grants) {
        rules.heading("What is granted: the worktree, the home, mounts.");
        for (Grant grant : grants) {
            List<String> filter = List.of(Sbpl.subpath(grant.path()));
            if (grant.writable()) {
                rules.allow(CHANGE, filter);
            } else {
                rules.allow(RUN, filter);
                rules.deny(KEEP, filter);
            }
        }
    }

    private static void refuse(Sbpl rules, Surroundings around, List<Grant> grants) {
        rules.heading("What stays as it is, and what stands above it stays where it is.");
        for (Path path : around.refused()) {
            String refused = path.toString();
            rules.deny(KEEP, List.of(Sbpl.literal(refused), Sbpl.subpath(refused), Sbpl.anyCase(refused)));
        }
        rules.deny(REMOVE, all(pinned(around, grants), Sbpl::literal));
    }

    /**
     * Returns the writable directories that commands must not move: the grants' roots, and the
     * ancestors of paths that commands may not write to.
     */
    private static Set<String> pinned(Surroundings around, List<Grant> grants) {
        List<String> roots =
                grants.stream().filter(Grant::writable).map(Grant::path).toList();
        Set<String> pinned = new TreeSet<>(roots);
        Stream<String> kept = Stream.concat(
                around.refused().stream().map(Path::toString),
                grants.stream().filter(grant -> !grant.writable()).map(Grant::path));
        kept.flatMap(path -> above(path).stream())
                .filter(parent ->
                        roots.stream().anyMatch(root -> Path.of(parent).startsWith(root)))
                .forEach(pinned::add);
        return pinned;
    }

    /** Returns the directories above a path, except the root. */
    private static List<String> above(String path) {
        List<String> above = new ArrayList<>();
        Path parent = Path.of(path).getParent();
        while (parent != null && parent.getNameCount() > 0) {
            above.add(parent.toString());
            parent = parent.getParent();
        }
        return above;
    }

    private static List<String> all(Iterable<String> values, UnaryOperator<String> filter) {
        List<String> filters = new ArrayList<>();
        values.forEach(value -> filters.add(filter.apply(value)));
        return filters;
    }
}
