package dev.paddock.executor.config;

import dev.paddock.executor.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one file, preset or program by their keys; those of {@code environment.set} have the key
 * {@code environment.set.NAME}, and those of {@code settings}, {@code mcp}, {@code models} and {@code groups} likewise.
 * A layer overrides the layers beneath it.
 *
 * @param entries the settings
 * @param adds whether its lists extend those beneath, as a program's do; a file's lists replace them
 */
record ConfigLayer(Map<String, Entry> entries, boolean adds) {
    static final String SET_PREFIX = Key.SET.path() + ".";
    static final String SETTINGS_PREFIX = Key.SETTINGS.path() + ".";

    /** Keys that name the system where commands run; each replaces an image from a lower layer. */
    private static final List<String> SYSTEMS = List.of(
            Key.CONTAINER.path(), SETTINGS_PREFIX + "pod", SETTINGS_PREFIX + "claim", SETTINGS_PREFIX + "sandbox");

    /**
     * A setting.
     *
     * @param value a text, a list of {@link ConfiguredMount} or of names, an {@link McpServer}, a {@link ModelAlias} or
     *     a {@link HostGroup}
     * @param origin where it was configured
     */
    record Entry(Object value, Origin origin) {}

    /** The name of a variable to pass on or of a cache, and where it was configured. */
    record Passed(String name, Origin origin) {}

    /** Merges layers, lowest first, into the effective settings. */
    static ConfigLayer merge(List<ConfigLayer> layers) {
        Map<String, Entry> merged = new LinkedHashMap<>();
        for (ConfigLayer layer : layers) {
            for (Map.Entry<String, Entry> setting : layer.entries.entrySet()) {
                merge(merged, setting.getKey(), setting.getValue(), layer.adds);
            }
        }
        return new ConfigLayer(merged, false);
    }

    private static void merge(Map<String, Entry> merged, String key, Entry entry, boolean adds) {
        if (key.equals(Key.IMAGE.path())) {
            SYSTEMS.forEach(merged::remove);
        } else if (SYSTEMS.contains(key)) {
            merged.remove(Key.IMAGE.path());
        }
        Entry beneath = merged.get(key);
        Entry result = entry;
        if (adds && beneath != null && beneath.value instanceof List<?>) {
            result = new Entry(concat(beneath, entry), entry.origin);
        }
        merged.put(key, result);
    }

    /** Joins two lists; a later mount replaces an earlier one with the same target. */
    private static List<Object> concat(Entry beneath, Entry above) {
        List<Object> joined = new ArrayList<>();
        if (beneath.value instanceof List<?> lower && above.value instanceof List<?> upper) {
            for (Object item : lower) {
                if (upper.stream().noneMatch(other -> isSameTarget(item, other))) {
                    joined.add(item);
                }
            }
            joined.addAll(upper);
        }
        return joined;
    }

    private static boolean isSameTarget(Object one, Object other) {
        return one instanceof ConfiguredMount mount
                && other instanceof ConfiguredMount second
                && mount.target().equals(second.target());
    }

    Optional<String> text(Key key) {
        Entry entry = entries.get(key.path());
        return entry == null ? Optional.empty() : Optional.of(String.valueOf(entry.value));
    }

    /**
     * Returns the network, with the hosts of its groups; empty if nothing sets it.
     *
     * @throws SandboxConfigException if it names a group that no layer has
     */
    Optional<NetworkPolicy> network() {
        return entry(Key.NETWORK).map(this::network);
    }

    /** Returns a network, possibly of another layer, with the hosts of this layer's groups. */
    NetworkPolicy network(Entry entry) {
        if (EngineNetwork.name(String.valueOf(entry.value)).isPresent()) {
            return NetworkPolicy.open();
        }
        try {
            return HostList.resolve(
                    String.valueOf(entry.value), named(HostGroup.class).keySet());
        } catch (IllegalArgumentException unknown) {
            throw SandboxConfigException.at(entry.origin, String.valueOf(unknown.getMessage()));
        }
    }

    Optional<Entry> entry(Key key) {
        return Optional.ofNullable(entries.get(key.path()));
    }

    Origin origin(Key key) {
        Entry entry = entries.get(key.path());
        return entry == null ? Origin.PROGRAM : entry.origin;
    }

    List<ConfiguredMount> mounts() {
        return list(Key.MOUNTS, ConfiguredMount.class);
    }

    List<Passed> passed() {
        return list(Key.PASS, Passed.class);
    }

    /** Returns the variables that a file in the worktree may set, in addition to harmless ones. */
    List<Passed> fromWorktree() {
        return list(Key.FROM_WORKTREE, Passed.class);
    }

    List<Passed> caches() {
        return list(Key.CACHES, Passed.class);
    }

    /** Returns whether a key has a value. */
    boolean is(Key key, String value) {
        return text(key).equals(Optional.of(value));
    }

    /** Returns the variables that are set, with their origins. */
    Map<String, Entry> set() {
        return below(SET_PREFIX);
    }

    /** Returns the settings of the backend, with their origins. */
    Map<String, Entry> settings() {
        return below(SETTINGS_PREFIX);
    }

    private Map<String, Entry> below(String prefix) {
        Map<String, Entry> found = new LinkedHashMap<>();
        for (Map.Entry<String, Entry> setting : entries.entrySet()) {
            if (setting.getKey().startsWith(prefix)) {
                found.put(setting.getKey().substring(prefix.length()), setting.getValue());
            }
        }
        return found;
    }

    /** Returns the values of the names below a key, with their origins. */
    <T> Map<T, Origin> named(Class<T> type) {
        Map<T, Origin> found = new LinkedHashMap<>();
        for (Entry entry : entries.values()) {
            if (type.isInstance(entry.value)) {
                found.put(type.cast(entry.value), entry.origin);
            }
        }
        return found;
    }

    private <T> List<T> list(Key key, Class<T> type) {
        List<T> found = new ArrayList<>();
        Entry entry = entries.get(key.path());
        if (entry != null && entry.value instanceof List<?> items) {
            for (Object item : items) {
                found.add(type.cast(item));
            }
        }
        return found;
    }
}
