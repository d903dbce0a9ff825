package dev.paddock.harness.guest;

import dev.paddock.executor.ExecutorProviders;
import dev.paddock.harness.bindings.ContainerOptions;
import dev.paddock.harness.bindings.FetchPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a session of guests. Immutable: each method returns a changed copy.
 *
 * <p>Defaults: QuickJS in the strongest usable backend, never the host; 5 s for a run, 30 s for a guest's start; 64 MiB
 * for the engine, 256 MiB more for a process of QuickJS; 5 GiB and 4,096 threads for all guests of a session, where the
 * backend can limit them; 1 MiB of logs; one warm guest; the container's own hosts for fetch.
 *
 * @since 0.1
 */
public final class GuestOptions {
    private static final int MAX_WARM = 64;
    private static final long MIN_BYTES = 8L << 20;
    private static final long MAX_BYTES = 1L << 30;
    private static final GuestOptions STANDARD = new GuestOptions(
            Engine.QUICKJS,
            ExecutorProviders.AUTO,
            Map.of(),
            Optional.empty(),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            64L << 20,
            1 << 20,
            1,
            Optional.empty());

    /** An engine of guest code. */
    public enum Engine {
        /** QuickJS, which comes with Paddock: a second boundary within the sandbox. */
        QUICKJS,
        /**
         * The machine's Node.js, for V8's speed. It is not a boundary: code that escapes its context has
         * Node's functions, and only the sandbox confines it.
         */
        NODE
    }

    private final Engine engine;
    private final String backend;
    private final Map<String, String> settings;
    private final Optional<ContainerOptions.ExecutorFactory> executor;
    private final Duration timeout;
    private final Duration startTimeout;
    private final long engineBytes;
    private final int logCharacters;
    private final int warm;
    private final Optional<FetchPolicy> fetch;

    private GuestOptions(
            Engine engine,
            String backend,
            Map<String, String> settings,
            Optional<ContainerOptions.ExecutorFactory> executor,
            Duration timeout,
            Duration startTimeout,
            long engineBytes,
            int logCharacters,
            int warm,
            Optional<FetchPolicy> fetch) {
        settings = Map.copyOf(settings);
        require(
                !timeout.isZero() && !timeout.isNegative(),
                "the time limit of a run must be more than zero, not " + timeout);
        require(
                !startTimeout.isZero() && !startTimeout.isNegative(),
                "the time limit of a guest's start must be more than zero, not " + startTimeout);
        require(
                engineBytes >= MIN_BYTES && engineBytes <= MAX_BYTES,
                "the engine's memory must be 8 MiB to 1 GiB, not " + engineBytes + " bytes");
        require(logCharacters >= 0, "the limit on logs is negative: " + logCharacters);
        require(warm >= 0 && warm <= MAX_WARM, "the number of warm guests must be 0 to 64, not " + warm);
        this.engine = engine;
        this.backend = backend;
        this.settings = settings;
        this.executor = executor;
        this.timeout = timeout;
        this.startTimeout = startTimeout;
        this.engineBytes = engineBytes;
        this.logCharacters = logCharacters;
        this.warm = warm;
        this.fetch = fetch;
    }

    /** {@return the defaults, the same value on each call} */
    public static GuestOptions standard() {
        return STANDARD;
    }

    /**
     * Returns these options with another engine.
     *
     * @param value the engine
     * @return the options
     */
    public GuestOptions engine(Engine value) {
        return new GuestOptions(
                value, backend, settings, executor, timeout, startTimeout, engineBytes, logCharacters, warm, fetch);
    }

    /**
     * Returns these options with another backend.
     *
     * @param name its name
     * @param values its settings
     * @return the options
     */
    public GuestOptions backend(String name, Map<String, String> values) {
        return new GuestOptions(
                engine, name, values, executor, timeout, startTimeout, engineBytes, logCharacters, warm, fetch);
    }

    /**
     * Returns these options with a time limit of a run.
     *
     * @param value more than zero
     * @return the options
     * @throws IllegalArgumentException if the value is out of its range
     */
    public GuestOptions timeout(Duration value) {
        return new GuestOptions(
                engine, backend, settings, executor, value, startTimeout, engineBytes, logCharacters, warm, fetch);
    }

    /**
     * Returns these options with another limit of the engine's memory.
     *
     * @param bytes 8 MiB to 1 GiB
     * @return the options
     * @throws IllegalArgumentException if the value is out of its range
     */
    public GuestOptions memory(long bytes) {
        return new GuestOptions(
                engine, backend, settings, executor, timeout, startTimeout, bytes, logCharacters, warm, fetch);
    }

    /**
     * Returns these options with another number of guests that are started in advance.
     *
     * @param number 0 to 64
     * @return the options
     * @throws IllegalArgumentException if the value is out of its range
     */
    public GuestOptions warm(int number) {
        return new GuestOptions(
                engine, backend, settings, executor, timeout, startTimeout, engineBytes, logCharacters, number, fetch);
    }

    /**
     * Returns these options with hosts for fetch, in place of the container's.
     *
     * @param value the policy
     * @return the options
     */
    public GuestOptions fetch(FetchPolicy value) {
        return new GuestOptions(
                engine,
                backend,
                settings,
                executor,
                timeout,
                startTimeout,
                engineBytes,
                logCharacters,
                warm,
                Optional.of(value));
    }

    /**
     * Returns these options with an executor for guests, in place of the backend.
     *
     * @param factory creates the executor
     * @return the options
     */
    public GuestOptions executor(ContainerOptions.ExecutorFactory factory) {
        return new GuestOptions(
                engine,
                backend,
                settings,
                Optional.of(factory),
                timeout,
                startTimeout,
                engineBytes,
                logCharacters,
                warm,
                fetch);
    }

    /**
     * Returns these options with a time limit of a guest's start.
     *
     * @param value more than zero
     * @return the options
     * @throws IllegalArgumentException if the value is out of its range
     */
    public GuestOptions startTimeout(Duration value) {
        return new GuestOptions(
                engine, backend, settings, executor, timeout, value, engineBytes, logCharacters, warm, fetch);
    }

    /**
     * Returns these options with another limit on logs.
     *
     * @param number how many characters are kept, 0 or more
     * @return the options
     * @throws IllegalArgumentException if the value is out of its range
     */
    public GuestOptions logCharacters(int number) {
        return new GuestOptions(
                engine, backend, settings, executor, timeout, startTimeout, engineBytes, number, warm, fetch);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** {@return the engine} */
    public Engine engine() {
        return engine;
    }

    /** {@return the backend's name} */
    public String backend() {
        return backend;
    }

    /** {@return the backend's settings} */
    public Map<String, String> settings() {
        return settings;
    }

    /** {@return what makes the guests' executor; empty if the backend does} */
    public Optional<ContainerOptions.ExecutorFactory> executor() {
        return executor;
    }

    /** {@return how long a run may take, more than zero} */
    public Duration timeout() {
        return timeout;
    }

    /** {@return how long a guest may take to start, more than zero; excludes the wait for other starts} */
    public Duration startTimeout() {
        return startTimeout;
    }

    /** {@return the engine's memory, 8 MiB to 1 GiB} */
    public long engineBytes() {
        return engineBytes;
    }

    /** {@return how many characters of logs are kept} */
    public int logCharacters() {
        return logCharacters;
    }

    /** {@return how many guests are started in advance, 0 to 64} */
    public int warm() {
        return warm;
    }

    /** {@return the hosts for fetch; the container's own if absent} */
    public Optional<FetchPolicy> fetch() {
        return fetch;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GuestOptions that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GuestOptions" + parts();
    }

    private List<Object> parts() {
        return List.of(
                engine, backend, settings, executor, timeout, startTimeout, engineBytes, logCharacters, warm, fetch);
    }
}
