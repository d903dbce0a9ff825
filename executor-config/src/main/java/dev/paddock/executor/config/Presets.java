package dev.paddock.executor.config;

import dev.paddock.executor.config.grant.CacheKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The named configurations. */
final class Presets {
    static final List<String> NAMES = List.of("sandbox", "untrusted", "build", "offline", "open", "development");

    /** Variables of a developer's terminal that only change how programs print. */
    private static final List<String> TERMINAL = List.of("CI", "COLORTERM", "FORCE_COLOR", "NO_COLOR", "TZ");

    private Presets() {}

    static boolean isName(String text) {
        return NAMES.contains(text);
    }

    /**
     * Returns a preset.
     *
     * @param origin where it is named
     * @throws SandboxConfigException if it is not available
     */
    static ConfigLayer layer(String name, Origin origin) {
        Map<String, ConfigLayer.Entry> entries = new LinkedHashMap<>();
        switch (name) {
            case "sandbox" -> confine(entries, origin);
            case "untrusted" -> {
                confine(entries, origin);
                entries.put(Key.MEMORY.path(), new ConfigLayer.Entry("1g", origin));
                entries.put(Key.CPUS.path(), new ConfigLayer.Entry("2", origin));
                entries.put(Key.PROCESSES.path(), new ConfigLayer.Entry("256", origin));
            }
            case "offline" -> entries.put(Key.NETWORK.path(), new ConfigLayer.Entry("off", origin));
            case "open" -> entries.put(Key.NETWORK.path(), new ConfigLayer.Entry("open", origin));
            case "development" -> {
                entries.put(Key.NETWORK.path(), new ConfigLayer.Entry("open", origin));
                Stream<ConfigLayer.Passed> passed =
                        TERMINAL.stream().map(variable -> new ConfigLayer.Passed(variable, origin));
                entries.put(Key.PASS.path(), new ConfigLayer.Entry(passed.toList(), origin));
            }
            case "build" -> {
                entries.put(Key.TOOLCHAINS.path(), new ConfigLayer.Entry(Values.TOOLCHAINS_OF_PATH, origin));
                entries.put(Key.IDENTITY.path(), new ConfigLayer.Entry(Values.IDENTITY_OF_USER, origin));
                // Without the browsers: a container's image often has its own.
                Stream<ConfigLayer.Passed> kinds = Stream.of(CacheKind.values())
                        .filter(kind -> kind != CacheKind.PLAYWRIGHT)
                        .map(kind -> new ConfigLayer.Passed(kind.word(), origin));
                entries.put(Key.CACHES.path(), new ConfigLayer.Entry(kinds.toList(), origin));
            }
            default ->
                throw SandboxConfigException.at(
                        origin,
                        "there is no preset named '" + name + "'; there are " + String.join(", ", NAMES)
                                + ", and a file is named with its suffix, .yaml");
        }
        return new ConfigLayer(entries, false);
    }

    private static void confine(Map<String, ConfigLayer.Entry> entries, Origin origin) {
        entries.put(Key.NETWORK.path(), new ConfigLayer.Entry("off", origin));
        entries.put(Key.MOUNTS.path(), new ConfigLayer.Entry(List.of(), origin));
        entries.put(Key.PASS.path(), new ConfigLayer.Entry(List.of(), origin));
    }
}
