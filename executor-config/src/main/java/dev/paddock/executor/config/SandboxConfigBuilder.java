package dev.paddock.executor.config;

import dev.paddock.executor.policy.Mount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects a program's own settings for a {@link SandboxConfig}. Not safe for use by several threads.
 *
 * @since 0.1
 */
public final class SandboxConfigBuilder {
    private final Map<String, ConfigLayer.Entry> entries = new LinkedHashMap<>();
    private final List<ConfiguredMount> mounts = new ArrayList<>();
    private final List<ConfigLayer.Passed> passed = new ArrayList<>();
    private final List<ConfigLayer.Passed> caches = new ArrayList<>();

    SandboxConfigBuilder() {}

    /**
     * Sets the backend.
     *
     * @param name its name; {@code auto}; or the names of several sandboxes of this machine, separated by commas, of
     *     which the first usable one is chosen
     * @return this builder
     * @throws IllegalArgumentException if neither Paddock nor the class path has such a backend, or one of several is
     *     no sandbox of this machine
     */
    public SandboxConfigBuilder executor(String name) {
        return put(Key.EXECUTOR, Values.checked(Key.EXECUTOR, name));
    }

    /**
     * Sets the image of docker's container, or of a pod.
     *
     * @param image the image
     * @return this builder
     */
    public SandboxConfigBuilder image(String image) {
        return put(Key.IMAGE, image);
    }

    /**
     * Sets the running container that docker uses, or the container of a pod.
     *
     * @param id its id or name
     * @return this builder
     */
    public SandboxConfigBuilder container(String id) {
        return put(Key.CONTAINER, id);
    }

    /**
     * Sets a backend-specific setting: {@code host} for ssh; {@code namespace},
     * {@code context}, {@code pod} and others for kubernetes.
     *
     * @param name letters and digits
     * @param value not blank
     * @return this builder
     * @throws IllegalArgumentException if the name or the value is malformed
     */
    public SandboxConfigBuilder setting(String name, String value) {
        entries.put(
                ConfigLayer.SETTINGS_PREFIX + name, new ConfigLayer.Entry(Values.setting(name, value), Origin.PROGRAM));
        return this;
    }

    /**
     * Sets the network.
     *
     * @param value {@code off}, {@code open}, or {@code allow} followed by hosts and by {@code @NAME}
     *     for groups of the layers beneath, separated by spaces, optionally preceded by {@code
     *     proxy=host} and {@code proxy=offered}, in this order; or {@code docker} and the name of a
     *     network of docker's
     * @return this builder
     * @throws IllegalArgumentException for anything else
     */
    public SandboxConfigBuilder network(String value) {
        return put(
                Key.NETWORK, EngineNetwork.name(value).map(EngineNetwork::text).orElseGet(() -> HostList.check(value)));
    }

    /**
     * Sets whether commands can use the programs of the user's {@code PATH}.
     *
     * @param value {@code path} or {@code off}
     * @return this builder
     * @throws IllegalArgumentException for anything else
     */
    public SandboxConfigBuilder toolchains(String value) {
        return put(Key.TOOLCHAINS, Values.checked(Key.TOOLCHAINS, value));
    }

    /**
     * Sets whether git has the user's name and address.
     *
     * @param value {@code user} or {@code none}
     * @return this builder
     * @throws IllegalArgumentException for anything else
     */
    public SandboxConfigBuilder identity(String value) {
        return put(Key.IDENTITY, Values.checked(Key.IDENTITY, value));
    }

    /**
     * Sets the shell of a model's commands.
     *
     * @param value {@code bash} or {@code sh}; without it bash where the sandbox has one
     * @return this builder
     * @throws IllegalArgumentException for anything else
     */
    public SandboxConfigBuilder shell(String value) {
        return put(Key.SHELL, Values.checked(Key.SHELL, value));
    }

    /**
     * Adds a cache that outlives the session.
     *
     * @param kind a value of the key {@code caches}, such as {@code maven}
     * @return this builder
     * @throws IllegalArgumentException if there is no such cache
     */
    public SandboxConfigBuilder cache(String kind) {
        caches.add(new ConfigLayer.Passed(Values.cache(kind), Origin.PROGRAM));
        return this;
    }

    /**
     * Sets which sessions share a cache.
     *
     * @param value {@code worktree} or {@code user}
     * @return this builder
     * @throws IllegalArgumentException for anything else
     */
    public SandboxConfigBuilder cacheScope(String value) {
        return put(Key.CACHE_SCOPE, Values.checked(Key.CACHE_SCOPE, value));
    }

    /**
     * Sets whether a new cache begins with a copy of the user's.
     *
     * @param isCopied true to copy
     * @return this builder
     */
    public SandboxConfigBuilder cacheFromHome(boolean isCopied) {
        return put(Key.CACHE_FROM_HOME, Boolean.toString(isCopied));
    }

    /**
     * Sets whether commands leave audit records.
     *
     * @param value the value
     * @return this builder
     */
    public SandboxConfigBuilder auditing(Auditing value) {
        return put(Key.AUDIT, value.toString());
    }

    /**
     * Sets a limit.
     *
     * @param name {@code memory}, {@code cpus}, {@code processes} or {@code file-size}
     * @param value the limit, in the form of a file
     * @return this builder
     * @throws IllegalArgumentException if there is no such limit, or the value is malformed
     */
    public SandboxConfigBuilder limit(String name, String value) {
        Key key = Key.find(Key.LIMITS.path(), name)
                .orElseThrow(() -> new IllegalArgumentException("there is no limit named '" + name + "'"));
        return put(key, Values.checked(key, value));
    }

    /**
     * Adds a mount to those beneath; it replaces one with the same target.
     *
     * @param mount the mount
     * @return this builder
     */
    public SandboxConfigBuilder mount(Mount mount) {
        mounts.add(new ConfiguredMount(mount.source(), mount.target(), mount.access(), Origin.PROGRAM));
        return this;
    }

    /**
     * Adds a variable of the host to pass on.
     *
     * @param name its name; a trailing {@code !} permits a name that looks like a credential
     * @return this builder
     * @throws IllegalArgumentException if no command can have a variable of this name
     */
    public SandboxConfigBuilder pass(String name) {
        passed.add(new ConfigLayer.Passed(Values.passed(name), Origin.PROGRAM));
        return this;
    }

    /**
     * Sets a variable.
     *
     * @param name its name
     * @param value its value
     * @return this builder
     * @throws IllegalArgumentException if no command can have this variable or value
     */
    public SandboxConfigBuilder set(String name, String value) {
        Values.requireVariable(name, value);
        entries.put(ConfigLayer.SET_PREFIX + name, new ConfigLayer.Entry(value, Origin.PROGRAM));
        return this;
    }

    /** {@return a configuration of one layer} */
    public SandboxConfig build() {
        Map<String, ConfigLayer.Entry> all = new LinkedHashMap<>(entries);
        if (!mounts.isEmpty()) {
            all.put(Key.MOUNTS.path(), new ConfigLayer.Entry(List.copyOf(mounts), Origin.PROGRAM));
        }
        if (!passed.isEmpty()) {
            all.put(Key.PASS.path(), new ConfigLayer.Entry(List.copyOf(passed), Origin.PROGRAM));
        }
        if (!caches.isEmpty()) {
            all.put(Key.CACHES.path(), new ConfigLayer.Entry(List.copyOf(caches), Origin.PROGRAM));
        }
        return new SandboxConfig(List.of(new ConfigLayer(all, true)));
    }

    private SandboxConfigBuilder put(Key key, String value) {
        entries.put(key.path(), new ConfigLayer.Entry(value, Origin.PROGRAM));
        return this;
    }
}
