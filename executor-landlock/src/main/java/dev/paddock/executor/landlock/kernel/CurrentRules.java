package dev.paddock.executor.landlock.kernel;

import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.landlock.kernel.LandlockRules.SystemRules;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;

/**
 * Compiles an executor's policy for each command. Compiles the rules of the system's paths, which are most of them,
 * again only when the cached view has found a change. Thread-safe.
 */
public final class CurrentRules {
    private final SandboxPolicy policy;
    private final int version;
    private final SystemPaths system;
    private final List<Grant> grants;
    private final CachingFileSystemView files;
    private volatile Compiled latest;

    /**
     * Compiled rules.
     *
     * @param system those of the system's paths
     * @param all the system's rules and the policy's
     * @param changes the view's change count before the system's rules were compiled, so that the next check sees a
     *     later change
     */
    private record Compiled(SystemRules system, LandlockRules all, int changes) {}

    /**
     * Compiles the rules once.
     *
     * @param version the kernel's version of Landlock, from 1
     * @param system the parts of the system to grant
     * @param grants grants in addition to the policy's paths
     * @param files finds the file at each path, and caches the system's
     */
    public CurrentRules(
            SandboxPolicy policy, int version, SystemPaths system, List<Grant> grants, CachingFileSystemView files) {
        this.policy = policy;
        this.version = version;
        this.system = system;
        this.grants = List.copyOf(grants);
        this.files = files;
        latest = compiled(files.changes());
    }

    /**
     * Returns the rules for the next command. Checks the policy's paths again, not the system's.
     *
     * @return the previous object if the rules are equal: they are compared with those of each slot and of the kernel's
     *     ruleset
     */
    public LandlockRules now() {
        Compiled last = latest;
        LandlockRules rules = compile(last.system());
        if (rules.equals(last.all())) {
            return last.all();
        }
        latest = new Compiled(last.system(), rules, last.changes());
        return rules;
    }

    /**
     * Returns whether rules are current, including the system's paths, which are checked at most once a second.
     *
     * @param rules an earlier result of {@link #now}
     */
    public boolean stillHold(LandlockRules rules) {
        int changes = files.changes();
        Compiled last = latest;
        if (last.changes() == changes && last.all().equals(rules)) {
            return true;
        }
        Compiled now = compiled(changes);
        latest = now;
        return rules.equals(now.all());
    }

    private Compiled compiled(int changes) {
        SystemRules rules = SystemRules.compile(system, version, files);
        return new Compiled(rules, compile(rules), changes);
    }

    private LandlockRules compile(SystemRules rules) {
        return LandlockRules.compile(policy, version, rules, grants, files);
    }
}
