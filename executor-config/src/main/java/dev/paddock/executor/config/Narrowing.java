package dev.paddock.executor.config;

import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.variable.HarmlessVariables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Refuses settings that widen the grants if commands can write their file, because it is in the worktree.
 *
 * @param worktree the worktree's real path
 * @param granted the settings from files elsewhere
 */
record Narrowing(Path worktree, ConfigLayer granted) {
    private static final List<Key> LIMITS = List.of(Key.MEMORY, Key.CPUS, Key.PROCESSES, Key.FILE_SIZE);
    private static final String RULE = "; a file in the worktree can only narrow what your own configuration grants";

    /**
     * Checks the effective settings.
     *
     * @throws SandboxConfigException if one widens a grant
     */
    void check(ConfigLayer effective) {
        effective.entries().forEach((key, entry) -> {
            if (entry.origin().leadsOutOf(worktree)) {
                throw SandboxConfigException.at(
                        entry.origin(), "it is a link that leads out of the worktree; replace it by a file");
            }
            if (entry.origin().isWithin(worktree)) {
                check(key, entry);
            }
        });
    }

    private void check(String path, ConfigLayer.Entry entry) {
        if (path.startsWith(ConfigLayer.SET_PREFIX)) {
            checkVariable(path.substring(ConfigLayer.SET_PREFIX.length()), entry);
            return;
        }
        if (path.startsWith(ConfigLayer.SETTINGS_PREFIX)) {
            String name = path.substring(ConfigLayer.SETTINGS_PREFIX.length());
            ConfigLayer.Entry own = granted.settings().get(name);
            require(
                    own != null && own.value().equals(entry.value()),
                    entry,
                    "the setting '" + name + ": " + entry.value() + "' is not granted");
            return;
        }
        if (entry.value() instanceof McpServer
                || entry.value() instanceof ModelAlias
                || entry.value() instanceof HostGroup) {
            // A server runs programs or receives calls; a model's address receives the provider's key; a
            // group's hosts are allowed where your own configuration names it.
            throw SandboxConfigException.at(entry.origin(), "'" + path + "' is not granted" + RULE);
        }
        String value = String.valueOf(entry.value());
        switch (Key.ofPath(path)) {
            case EXECUTOR -> checkExecutor(entry, value);
            case IMAGE -> checkImage(entry, value);
            case CONTAINER ->
                require(
                        granted.text(Key.CONTAINER).equals(Optional.of(value)),
                        entry,
                        "the container '" + value + "' is not granted");
            case NETWORK -> {
                boolean isEngines = EngineNetwork.name(value).isPresent()
                        || granted.text(Key.NETWORK)
                                .flatMap(EngineNetwork::name)
                                .isPresent();
                require(
                        !isEngines || value.equals("off") || granted.is(Key.NETWORK, value),
                        entry,
                        "the network '" + value + "' is not granted");
                NetworkPolicy own = granted.network().orElse(NetworkPolicy.off());
                NetworkPolicy asked = granted.network(entry);
                String what = asked instanceof NetworkPolicy.Allow allow ? " of " + allow.hosts() : "";
                require(asked.isWithin(own), entry, "the network" + what + " is not granted");
            }
            case MEMORY, CPUS, PROCESSES, FILE_SIZE -> checkLimit(path, entry, value);
            case TOOLCHAINS ->
                require(
                        isNoMore(Key.TOOLCHAINS, value, Values.TOOLCHAINS_OF_PATH),
                        entry,
                        "the toolchains are not granted");
            case IDENTITY ->
                require(isNoMore(Key.IDENTITY, value, Values.IDENTITY_OF_USER), entry, "your identity is not granted");
            case UNIX_SOCKETS ->
                require(
                        value.equals(Values.OFF) || !granted.is(Key.UNIX_SOCKETS, Values.OFF),
                        entry,
                        "unix sockets are not granted");
            case ROOT -> require(isNoMore(Key.ROOT, value, Values.WRITABLE), entry, "a writable root is not granted");
            case CACHE_SCOPE ->
                require(
                        isNoMore(Key.CACHE_SCOPE, value, Values.SCOPE_OF_USER),
                        entry,
                        "caches that other worktrees share are not granted");
            case CACHE_FROM_HOME ->
                require(
                        isNoMore(Key.CACHE_FROM_HOME, value, Values.TRUE),
                        entry,
                        "a copy of your caches is not granted");
            case AUDIT -> {
                Auditing own = granted.text(Key.AUDIT).map(Auditing::parse).orElse(Auditing.ON);
                require(
                        Auditing.parse(value).compareTo(own) >= 0,
                        entry,
                        "your own configuration requires audit records: audit is '" + own + "'");
            }
            case SHELL -> {} // grants nothing
            case MOUNTS, PASS, CACHES -> {} // each item has its own origin and is checked separately
            default -> throw SandboxConfigException.at(entry.origin(), "the key '" + path + "' is not granted" + RULE);
        }
    }

    /** Returns whether a value differs from the one that grants most, or that one is granted. */
    private boolean isNoMore(Key key, String value, String most) {
        return !value.equals(most) || granted.is(key, most);
    }

    /** Checks a cache. */
    void checkCache(ConfigLayer.Passed cache) {
        boolean isGranted = granted.caches().stream().anyMatch(own -> own.name().equals(cache.name()));
        if (cache.origin().isWithin(worktree) && !isGranted) {
            throw SandboxConfigException.at(cache.origin(), "the cache '" + cache.name() + "' is not granted" + RULE);
        }
    }

    private void checkImage(ConfigLayer.Entry entry, String value) {
        boolean isOpen = granted.text(Key.EXECUTOR).equals(Optional.of(Values.DOCKER))
                && granted.text(Key.CONTAINER).isEmpty()
                && granted.text(Key.IMAGE).isEmpty();
        require(
                isOpen || granted.text(Key.IMAGE).equals(Optional.of(value)),
                entry,
                "the image '" + value + "' is not granted: your own configuration must name the executor docker,"
                        + " and no image or this one");
    }

    private void checkExecutor(ConfigLayer.Entry entry, String value) {
        String own = granted.text(Key.EXECUTOR).orElse(ExecutorProviders.AUTO);
        require(
                value.equals(own) || (own.equals(Values.HOST) && !Values.isElsewhere(value)),
                entry,
                "the executor '" + value + "' may confine less than '" + own + "'");
    }

    private void checkVariable(String name, ConfigLayer.Entry entry) {
        boolean isUnconfined = Values.confinesNothing(granted.text(Key.EXECUTOR).orElse(ExecutorProviders.AUTO));
        require(!isUnconfined, entry, "the variable " + name + " would change programs on the host");
        boolean isPermitted = HarmlessVariables.matches(name)
                || granted.fromWorktree().stream().anyMatch(own -> own.name().equals(name));
        require(
                isPermitted,
                entry,
                "the variable " + name + " is not one that every worktree may set; to permit it, add "
                        + Key.FROM_WORKTREE.path() + ": [" + name + "] to your own configuration");
        boolean isOwn = granted.set().containsKey(name)
                || granted.passed().stream()
                        .anyMatch(passed -> plain(passed.name()).equals(name));
        require(!isOwn, entry, "the variable " + name + " has a value of your own");
    }

    private void checkLimit(String key, ConfigLayer.Entry entry, String value) {
        ResourceLimits own = limits(granted);
        ResourceLimits asked = limits(new ConfigLayer(Map.of(key, entry), false));
        boolean isMore = exceeds(asked.memoryBytes(), own.memoryBytes())
                || exceeds(asked.fileSizeBytes(), own.fileSizeBytes())
                || exceeds(asked.cpus(), own.cpus())
                || (asked.processes().isPresent() && asked.processes().getAsInt() > processes(own.processes()));
        require(!isMore, entry, key + " " + value + " is more than is granted");
    }

    private static int processes(OptionalInt own) {
        return own.orElse(ResourceLimits.DEFAULT_PROCESSES);
    }

    private static boolean exceeds(OptionalLong asked, OptionalLong own) {
        return asked.isPresent() && own.isPresent() && asked.getAsLong() > own.getAsLong();
    }

    private static boolean exceeds(OptionalDouble asked, OptionalDouble own) {
        return asked.isPresent() && own.isPresent() && asked.getAsDouble() > own.getAsDouble();
    }

    /** Checks an effective mount. */
    void check(ConfiguredMount mount, Mount resolved) {
        if (!mount.origin().isWithin(worktree)) {
            return;
        }
        boolean isGranted = granted.mounts().stream().anyMatch(own -> isWithin(resolved, own.resolve()));
        if (!isGranted) {
            throw SandboxConfigException.at(
                    mount.origin(),
                    "the mount of " + mount.source() + " at " + mount.target() + " (" + mount.word()
                            + ") is not granted" + RULE);
        }
    }

    private static boolean isWithin(Mount mount, Mount own) {
        boolean isWider = mount.access() == Mount.Access.READ_WRITE && own.access() == Mount.Access.READ_ONLY;
        return !isWider && mount.target().equals(own.target()) && mount.source().equals(own.source());
    }

    /** Checks a variable that is to be passed on. */
    void check(ConfigLayer.Passed passed) {
        if (!passed.origin().isWithin(worktree)) {
            return;
        }
        List<String> own =
                granted.passed().stream().map(ConfigLayer.Passed::name).toList();
        if (!own.contains(passed.name()) && !own.contains(passed.name() + "!")) {
            throw SandboxConfigException.at(
                    passed.origin(), "the variable " + plain(passed.name()) + " is not granted" + RULE);
        }
    }

    private void require(boolean holds, ConfigLayer.Entry entry, String otherwise) {
        if (!holds) {
            throw SandboxConfigException.at(entry.origin(), otherwise + RULE);
        }
    }

    static String plain(String name) {
        return name.endsWith("!") ? name.substring(0, name.length() - 1) : name;
    }

    /** Returns the limits of a layer. */
    static ResourceLimits limits(ConfigLayer layer) {
        ResourceLimits limits = ResourceLimits.none();
        for (Key key : LIMITS) {
            Optional<String> text = layer.text(key);
            if (text.isPresent()) {
                limits = Values.with(limits, key, text.get());
            }
        }
        return limits;
    }
}
