package dev.paddock.executor.config;

import dev.paddock.executor.config.grant.CacheKind;
import dev.paddock.executor.config.grant.Caches;
import dev.paddock.executor.config.grant.Toolchains;
import dev.paddock.executor.config.grant.UserContext;
import dev.paddock.executor.config.grant.UserGit;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The toolchains, the identity and the caches of a configuration: the only code that turns these keys into mounts and
 * variables, for every executor.
 */
record UserGrants(ConfigLayer effective, String executor, Map<String, String> settings, UserContext user) {

    SandboxPolicy addTo(SandboxPolicy policy) {
        SandboxPolicy result = policy;
        boolean isHost = executor.equals(Values.HOST);
        boolean isElsewhere = Values.isElsewhere(executor);
        boolean isAttached = settings.containsKey(Key.CONTAINER.path());
        if (grantsToolchains()) {
            result = Toolchains.of(user).addTo(result);
        }
        if (effective.is(Key.IDENTITY, Values.IDENTITY_OF_USER) && !isHost && !isAttached && !isElsewhere) {
            result = UserGit.addTo(result, user);
        }
        Set<CacheKind> kinds = kinds();
        if (kinds.isEmpty()) {
            return result;
        }
        if (isHost) {
            throw refused("commands on the host have your own caches");
        }
        if (isElsewhere) {
            throw refused("commands run on another machine, which does not have this machine's directories");
        }
        if (isAttached) {
            throw refused("a running container's mounts are fixed");
        }
        return new Caches(kinds, scope(), effective.is(Key.CACHE_FROM_HOME, Values.TRUE)).addTo(result, user);
    }

    /** Returns whether toolchains are granted: only if commands see some, but not all, of the host's paths. */
    boolean grantsToolchains() {
        return effective.is(Key.TOOLCHAINS, Values.TOOLCHAINS_OF_PATH)
                && settings.isEmpty()
                && !executor.equals(Values.HOST)
                && !executor.equals(Values.DOCKER)
                && !Values.isElsewhere(executor);
    }

    /** Returns the entries of the {@code PATH} that are not granted, with the reasons. */
    List<String> skipped(Path worktree) {
        return Toolchains.of(user).skipped(worktree);
    }

    Set<CacheKind> kinds() {
        Set<CacheKind> kinds = EnumSet.noneOf(CacheKind.class);
        for (ConfigLayer.Passed cache : effective.caches()) {
            CacheKind.find(cache.name()).ifPresent(kinds::add);
        }
        return kinds;
    }

    private Caches.Scope scope() {
        return effective.is(Key.CACHE_SCOPE, Values.SCOPE_OF_USER) ? Caches.Scope.USER : Caches.Scope.WORKTREE;
    }

    private SandboxConfigException refused(String why) {
        return SandboxConfigException.at(
                effective.origin(Key.CACHES), "caches cannot be used here: " + why + "; leave them out");
    }
}
