package dev.paddock.executor.landlock.kernel;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy compiled to Landlock rules. Sandboxes with equal rules grant the same files, not only the same paths.
 *
 * @param files the rights to files that are denied where no rule grants them
 * @param ports the rights to TCP ports that are denied
 * @param scopes the kinds of communication that cannot leave the sandbox
 * @param rules the grants, in order
 */
public record LandlockRules(long files, long ports, long scopes, List<Rule> rules) {

    /**
     * A grant of the file at a path, or of all files below a directory.
     *
     * @param identity identifies the file that existed when the rule was compiled
     */
    record Rule(String path, long rights, Object identity) {
        // Written out: the JDK would generate it at each start of a program.
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Rule that
                            && path.equals(that.path)
                            && rights == that.rights
                            && identity.equals(that.identity));
        }

        @Override
        public int hashCode() {
            return 31 * path.hashCode() + Long.hashCode(rights);
        }
    }

    /**
     * A directory or file granted in addition to those in the policy.
     *
     * @param writable whether commands may also write to it
     */
    public record Grant(String path, boolean writable) {}

    /**
     * The grants of the system's parts: most of a sandbox's rules, and the same for each command until a file of the
     * system is replaced.
     */
    public record SystemRules(List<Rule> rules) {
        public SystemRules {
            rules = List.copyOf(rules);
        }

        /**
         * Compiles the grants.
         *
         * @param version the kernel's version of Landlock, from 1
         * @param files finds the file at each path
         */
        public static SystemRules compile(SystemPaths paths, int version, FileSystemView files) {
            Collector collector = new Collector(Rights.ofFiles(version), files);
            paths.programs().forEach(path -> collector.grant(path, Rights.READ | Rights.EXECUTE));
            paths.readable().forEach(path -> collector.grant(path, Rights.READ));
            paths.devices().forEach(path -> collector.grant(path, Rights.DEVICE));
            return new SystemRules(collector.rules);
        }
    }

    public LandlockRules {
        rules = List.copyOf(rules);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LandlockRules that
                && files == that.files
                && ports == that.ports
                && scopes == that.scopes
                && rules.equals(that.rules);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(files) + rules.hashCode();
    }

    /**
     * Compiles a policy.
     *
     * @param policy a {@linkplain dev.paddock.executor.landlock.LandlockPolicyCheck supported} policy
     * @param version the kernel's version of Landlock, from 1
     * @param system the grants of the system's parts
     * @param grants the git directories of the worktree, and the executor's own directory
     * @param files finds the file at each path
     * @return the rules; a path without a file has none
     */
    public static LandlockRules compile(
            SandboxPolicy policy, int version, SystemRules system, List<Grant> grants, FileSystemView files) {
        Collector collector = new Collector(Rights.ofFiles(version), files);
        collector.rules.addAll(system.rules());
        for (Mount mount : policy.mounts()) {
            collector.grant(mount.source().toString(), mount.access() == Mount.Access.READ_WRITE);
        }
        collector.grant(policy.worktree().hostPath().toString(), true);
        grants.forEach(grant -> collector.grant(grant.path(), grant.writable()));
        boolean open = policy.network() instanceof NetworkPolicy.Open;
        return new LandlockRules(
                Rights.ofFiles(version), open ? 0 : Rights.ofPorts(version), Rights.ofScopes(version), collector.rules);
    }

    /**
     * Returns these rules and grants to read and write devices.
     *
     * @param devices the devices' paths
     * @param view finds the file at each path
     */
    public LandlockRules withDevices(List<String> devices, FileSystemView view) {
        Collector collector = new Collector(files, view);
        collector.rules.addAll(rules);
        devices.forEach(path -> collector.grant(path, Rights.DEVICE));
        return new LandlockRules(files, ports, scopes, collector.rules);
    }

    private static final class Collector {
        private final long known;
        private final FileSystemView files;
        private final List<Rule> rules = new ArrayList<>();

        Collector(long known, FileSystemView files) {
            this.known = known;
            this.files = files;
        }

        void grant(String path, boolean writable) {
            grant(path, writable ? Rights.WRITE : Rights.READ | Rights.EXECUTE);
        }

        void grant(String path, long rights) {
            files.at(path).ifPresent(entry -> {
                long possible = entry.directory() ? rights : rights & Rights.OF_FILES;
                rules.add(new Rule(path, possible & known, entry.identity()));
            });
        }
    }
}
