package dev.paddock.executor.config;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a configuration that only some backends have: those below {@code settings}, and other keys that
 * become settings of docker or bubblewrap.
 *
 * @param effective the configuration's merged layers
 */
record BackendSettings(ConfigLayer effective) {
    /** Returns the settings by the backend's own names; of a chosen backend, only those that it has. */
    Map<String, String> of(Optional<ExecutorProvider> chosen) {
        Map<String, String> settings = new LinkedHashMap<>();
        effective.text(Key.IMAGE).ifPresent(image -> settings.put(Key.IMAGE.path(), image));
        effective.text(Key.CONTAINER).ifPresent(id -> settings.put(Key.CONTAINER.path(), id));
        effective
                .text(Key.NETWORK)
                .flatMap(EngineNetwork::name)
                .ifPresent(name -> settings.put(Key.NETWORK.path(), name));
        tmp().ifPresent(text -> settings.put(Key.TMP.path(), text));
        if (effective.is(Key.ROOT, Values.WRITABLE)) {
            settings.put(Key.ROOT.path(), Values.WRITABLE);
        }
        effective.settings().forEach((name, entry) -> settings.put(name, String.valueOf(entry.value())));
        chosen.ifPresent(provider -> settings.keySet().removeIf(name -> !provider.hasSetting(name)));
        return Map.copyOf(settings);
    }

    /** Returns docker's text for the size of {@code /tmp}, and that no program is executed from it. */
    private Optional<String> tmp() {
        boolean isPlain = effective.is(Key.TMP_EXEC, "false");
        Optional<String> size = effective.text(Key.TMP_SIZE);
        return size.isEmpty() && !isPlain
                ? Optional.empty()
                : Optional.of(size.orElse("1g") + (isPlain ? ",noexec" : ""));
    }

    /** Refuses a backend's settings if another one may be chosen, which would ignore them. */
    void require(String executor) {
        boolean isDocker = executor.equals(Values.DOCKER)
                || (executor.equals(ExecutorProviders.AUTO)
                        && effective.entry(Key.IMAGE).isPresent());
        for (Key key : List.of(Key.NETWORK, Key.TMP_SIZE, Key.TMP_EXEC)) {
            if (!isDocker && isOfDocker(key)) {
                throw SandboxConfigException.at(
                        effective.origin(key),
                        (key == Key.NETWORK ? Key.NETWORK_DOCKER : key).path()
                                + " is docker's: name docker as the only executor, or leave it out");
            }
        }
        if (effective.is(Key.ROOT, Values.WRITABLE) && !isDocker && !executor.equals("bwrap")) {
            throw SandboxConfigException.at(
                    effective.origin(Key.ROOT),
                    "a writable root is a layer above the system, which containers and bubblewrap have: name docker or"
                            + " bwrap as the only executor, or leave it out");
        }
    }

    private boolean isOfDocker(Key key) {
        Optional<String> value = effective.text(key);
        return key == Key.NETWORK ? value.flatMap(EngineNetwork::name).isPresent() : value.isPresent();
    }
}
