package dev.paddock.executor.config;

import dev.paddock.executor.config.grant.Caches;
import dev.paddock.executor.config.grant.UserContext;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Builds a worktree's policy from a configuration; refuses a file in the worktree that widens a grant.
 *
 * @param layers the layers, the lowest first
 * @param effective the effective settings
 * @param user the user whose caches must not be in a mount
 */
record ConfiguredPolicy(List<ConfigLayer> layers, ConfigLayer effective, UserContext user) {

    SandboxPolicy make(PathMapping worktree, NetworkPolicy network) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree)
                .network(network)
                .unixSockets(!effective.is(Key.UNIX_SOCKETS, Values.OFF))
                .limits(Narrowing.limits(effective));
        Optional<Narrowing> narrowing = narrowing(worktree);
        narrowing.ifPresent(rule -> rule.check(effective));
        EnvironmentPolicy environment = EnvironmentPolicy.empty();
        for (ConfigLayer.Passed passed : effective.passed()) {
            narrowing.ifPresent(rule -> rule.check(passed));
            String name = Narrowing.plain(passed.name());
            environment = passed.name().equals(name) ? environment.passing(name) : environment.forcing(name);
        }
        for (Map.Entry<String, ConfigLayer.Entry> variable : effective.set().entrySet()) {
            environment = environment.with(
                    variable.getKey(), String.valueOf(variable.getValue().value()));
        }
        for (ConfiguredMount mount : effective.mounts()) {
            Mount resolved = mount.resolve();
            narrowing.ifPresent(rule -> rule.check(mount, resolved));
            requireNoConfiguration(mount, resolved);
            requireNoCaches(mount, resolved);
            policy.mount(resolved);
        }
        for (ConfigLayer.Passed cache : effective.caches()) {
            narrowing.ifPresent(rule -> rule.checkCache(cache));
        }
        try {
            return protectCaches(policy.environment(environment).build());
        } catch (IllegalArgumentException refused) {
            throw SandboxConfigException.at(effective.origin(Key.MOUNTS), String.valueOf(refused.getMessage()));
        }
    }

    /** Refuses a file in the worktree that widens a grant other than mounts, caches and variables. */
    void requireNarrow(PathMapping worktree) {
        narrowing(worktree).ifPresent(rule -> rule.check(effective));
    }

    /** Protects other worktrees' caches if this worktree contains them, as a home directory does. */
    private SandboxPolicy protectCaches(SandboxPolicy policy) {
        ProtectedPaths paths = policy.protectedPaths();
        return Caches.below(policy.worktree().hostPath(), user)
                .map(name -> {
                    Set<String> names = new LinkedHashSet<>(paths.names());
                    names.add(name);
                    return policy.toBuilder()
                            .protectedPaths(ProtectedPaths.of(names, paths.demand()))
                            .build();
                })
                .orElse(policy);
    }

    /** Returns the rule for settings in files that commands can write; empty if there are none. */
    private Optional<Narrowing> narrowing(PathMapping worktree) {
        if (files().isEmpty()) {
            return Optional.empty();
        }
        Path real = real(worktree.hostPath());
        List<ConfigLayer> granted = new ArrayList<>();
        for (ConfigLayer layer : layers) {
            if (layer.entries().values().stream()
                    .noneMatch(entry -> entry.origin().isWithin(real))) {
                granted.add(layer);
            }
        }
        return Optional.of(new Narrowing(real, ConfigLayer.merge(granted)));
    }

    /** Returns the real path of a worktree; its absolute path if it does not exist yet. */
    private static Path real(Path worktree) {
        try {
            return worktree.toRealPath();
        } catch (NoSuchFileException absent) {
            return worktree;
        } catch (IOException fault) {
            throw new SandboxConfigException(
                    "the worktree " + worktree + " cannot be opened (" + FileFaults.reason(fault) + ")", fault);
        }
    }

    /** Returns the real paths of the files that this configuration was read from. */
    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (ConfigLayer layer : layers) {
            for (ConfigLayer.Entry entry : layer.entries().values()) {
                entry.origin().paths().stream()
                        .filter(place -> !files.contains(place))
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** Refuses a mount through which commands could rewrite the configuration that grants it. */
    private void requireNoConfiguration(ConfiguredMount mount, Mount resolved) {
        if (resolved.access() == Mount.Access.READ_WRITE) {
            for (Path file : files()) {
                if (file.startsWith(resolved.source())) {
                    throw SandboxConfigException.at(
                            mount.origin(),
                            "a writable mount of '" + mount.source() + "' would let commands rewrite the configuration "
                                    + file + "; mount it read-only, or a directory without that file");
                }
            }
        }
    }

    /** Refuses a mount through which commands could change the caches of other worktrees. */
    private void requireNoCaches(ConfiguredMount mount, Mount resolved) {
        if (resolved.access() == Mount.Access.READ_WRITE && Caches.areReachedBy(resolved.source(), user)) {
            throw SandboxConfigException.at(
                    mount.origin(),
                    "a writable mount of '" + mount.source() + "' would let commands change the caches that other"
                            + " commands run from; mount it read-only, or another directory");
        }
    }
}
