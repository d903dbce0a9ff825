package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.sandbox.local.ExecutorBuilder;
import dev.paddock.executor.sandbox.local.SandboxBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A provider's settings, each with the builder's method that it calls. Immutable.
 *
 * @param <B> the executor's builder
 */
public final class ProviderSettings<B> {
    private final String backend;
    private final Map<String, BiConsumer<B, String>> settings;

    private ProviderSettings(String backend, Map<String, BiConsumer<B, String>> settings) {
        this.backend = backend;
        this.settings = settings;
    }

    /**
     * Returns no settings, to which a backend adds its own.
     *
     * @param backend the backend's name
     * @param <B> the executor's builder
     */
    public static <B> ProviderSettings<B> of(String backend) {
        return new ProviderSettings<>(backend, Map.of());
    }

    /**
     * Returns the settings of every executor of this machine: {@code shell} and {@code warmSlots}.
     *
     * @param backend the backend's name
     * @param <B> the executor's builder
     */
    public static <B extends ExecutorBuilder<B>> ProviderSettings<B> ofExecutor(String backend) {
        return ProviderSettings.<B>of(backend)
                .with("shell", ExecutorBuilder::shell)
                .with("warmSlots", (builder, value) -> builder.warmSlots(wholeNumber("warmSlots", value)));
    }

    /**
     * Returns the settings of every sandbox of this machine: those of {@link #ofExecutor}, and {@code quarantine}, a
     * directory.
     *
     * @param backend the backend's name
     * @param <B> the executor's builder
     */
    public static <B extends SandboxBuilder<B>> ProviderSettings<B> ofSandbox(String backend) {
        return ProviderSettings.<B>ofExecutor(backend)
                .with("quarantine", (builder, value) -> builder.quarantine(Path.of(value)));
    }

    /**
     * Returns these settings and one more.
     *
     * @param name the setting's name
     * @param apply passes its value to the builder; throws {@link IllegalArgumentException} if it is invalid
     */
    public ProviderSettings<B> with(String name, BiConsumer<B, String> apply) {
        Map<String, BiConsumer<B, String>> more = new TreeMap<>(settings);
        more.put(name, apply);
        return new ProviderSettings<>(backend, more);
    }

    /**
     * Returns whether this backend has all these settings.
     *
     * @param names the names of the settings
     * @return false if one is another backend's, or misspelled
     */
    public boolean areAll(Set<String> names) {
        return settings.keySet().containsAll(names);
    }

    /**
     * Passes values to a builder.
     *
     * @param values the values by name
     * @throws IllegalArgumentException if the backend has no setting of a name, or a value is invalid
     */
    public B apply(Map<String, String> values, B builder) {
        values.forEach((name, value) -> {
            BiConsumer<B, String> setting = settings.get(name);
            if (setting == null) {
                throw new IllegalArgumentException("the " + backend + " backend has no setting '" + name + "'; it has "
                        + String.join(", ", settings.keySet()));
            }
            setting.accept(builder, value);
        });
        return builder;
    }

    /**
     * Parses the value of the setting {@code root}.
     *
     * @param value {@code read-only} or {@code writable}
     * @return whether commands can change the system's files, in a layer that is discarded
     * @throws IllegalArgumentException if it is neither
     */
    public static boolean isWritable(String value) {
        if (!value.equals("writable") && !value.equals("read-only")) {
            throw new IllegalArgumentException("root must be read-only or writable, not '" + value + "'");
        }
        return value.equals("writable");
    }

    /**
     * Parses a whole number.
     *
     * @param name the setting's name
     * @throws IllegalArgumentException if it is no whole number
     */
    public static int wholeNumber(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException(
                    "the setting " + name + " is '" + value + "': set a whole number, such as 2", none);
        }
    }
}
