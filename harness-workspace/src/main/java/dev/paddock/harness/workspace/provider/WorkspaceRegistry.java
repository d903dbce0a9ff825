package dev.paddock.harness.workspace.provider;

import dev.paddock.harness.tools.WorkspaceSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Finds providers by kind, and opens workspaces at their first use: retries a transient failure after a wait, and
 * bounds how many workspaces are opened or resolved concurrently.
 *
 * <p>Defaults: three further attempts, after 1, 3 and 6 seconds; any number of concurrent workspaces. Thread-safe.
 *
 * @since 0.1
 */
public final class WorkspaceRegistry implements AutoCloseable {
    private final Map<String, WorkspaceProvider> providers;
    private final List<Duration> waits;
    private final Semaphore opens;
    private final List<LazyWorkspace> all = new ArrayList<>();

    private WorkspaceRegistry(Builder builder) {
        providers = new TreeMap<>(builder.providers);
        waits = builder.waits;
        opens = new Semaphore(builder.maxConcurrentOpens, true);
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Declares a new workspace, which is opened at its first use.
     *
     * @param config its configuration
     * @return the workspace
     * @throws WorkspaceFailedException if there is no provider of its kind, or the provider lacks a
     *     capability that it declares
     */
    public LazyWorkspace workspace(WorkspaceConfig config) {
        WorkspaceProvider provider = provider(config.kind(), config.capabilities());
        return add(new LazyWorkspace(
                config.kind(),
                Optional.empty(),
                ref -> attempts(() -> ref.isPresent() ? provider.resolve(ref.get()) : provider.open(config)),
                provider::remove));
    }

    /**
     * Declares an existing workspace, which its first use resolves.
     *
     * @param ref its reference
     * @return the workspace
     * @throws WorkspaceFailedException if there is no provider of its kind, or the provider lacks a capability that it
     *     names
     */
    public LazyWorkspace workspace(WorkspaceRef ref) {
        WorkspaceProvider provider = provider(ref.kind(), ref.capabilities());
        return add(new LazyWorkspace(
                ref.kind(),
                Optional.of(ref),
                known -> attempts(() -> provider.resolve(known.orElse(ref))),
                provider::remove));
    }

    /**
     * Returns a source that opens a new workspace for each session:
     * {@code AgentSession.builder().workspace(registry.source(config))}. A resumed session reopens its own.
     *
     * @param config the configuration of the workspaces
     * @return the source; the session suspends its workspace
     * @throws WorkspaceFailedException as {@link #workspace(WorkspaceConfig)} does, and if the capability
     *     {@link Capability#SHELL} is not declared
     */
    public WorkspaceSource source(WorkspaceConfig config) {
        WorkspaceProvider provider = provider(config.kind(), config.capabilities());
        return new RegistrySource(this, provider, config.capabilities(), () -> workspace(config), Optional.empty());
    }

    /**
     * Returns a source for sessions in an existing workspace.
     *
     * @param ref its reference
     * @return the source; the session suspends the workspace
     * @throws WorkspaceFailedException as {@link #workspace(WorkspaceRef)} does, and if the capability
     *     {@link Capability#SHELL} is not among its own
     */
    public WorkspaceSource source(WorkspaceRef ref) {
        WorkspaceProvider provider = provider(ref.kind(), ref.capabilities());
        return new RegistrySource(this, provider, ref.capabilities(), () -> workspace(ref), Optional.of(ref));
    }

    /**
     * Removes a workspace that is not open, as {@link WorkspaceProvider#remove} does.
     *
     * @param ref its reference
     */
    public void remove(WorkspaceRef ref) {
        provider(ref.kind(), Set.of()).remove(ref);
    }

    private LazyWorkspace add(LazyWorkspace workspace) {
        synchronized (all) {
            all.removeIf(one -> one.status().state() == WorkspaceStatus.State.GONE);
            all.add(workspace);
        }
        return workspace;
    }

    private WorkspaceProvider provider(String kind, Set<Capability> declared) {
        WorkspaceProvider provider = Optional.ofNullable(providers.get(kind))
                .orElseThrow(() -> new WorkspaceFailedException(
                        "there is no provider of workspaces of the kind '" + kind + "'; there are "
                                + (providers.isEmpty() ? "none" : String.join(", ", providers.keySet()))));
        Set<String> lacking = new TreeSet<>();
        for (Capability capability : declared) {
            if (!provider.capabilities().contains(capability)) {
                lacking.add(capability.word());
            }
        }
        if (!lacking.isEmpty()) {
            throw new WorkspaceFailedException("workspaces of the kind '" + kind + "' lack the capability "
                    + String.join(", ", lacking) + "; do not declare it, or choose another kind");
        }
        return provider;
    }

    private Workspace attempts(Supplier<Workspace> attempt) {
        for (Duration wait : waits) {
            try {
                return bounded(attempt);
            } catch (WorkspaceFailedException fault) {
                if (!fault.isTransient()) {
                    throw fault;
                }
                pause(wait, fault);
            }
        }
        return bounded(attempt);
    }

    private static void pause(Duration wait, WorkspaceFailedException fault) {
        try {
            TimeUnit.NANOSECONDS.sleep(wait.toNanos());
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw fault;
        }
    }

    private Workspace bounded(Supplier<Workspace> attempt) {
        try {
            opens.acquire();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw WorkspaceFailedException.passing("interrupted while other workspaces were being opened");
        }
        try {
            return attempt.get();
        } finally {
            opens.release();
        }
    }

    /**
     * Describes the workspaces that were declared here, except those that no longer exist.
     *
     * @return the descriptions, in the order of the declarations
     */
    public List<WorkspaceStatus> describe() {
        synchronized (all) {
            return all.stream()
                    .map(LazyWorkspace::status)
                    .filter(status -> status.state() != WorkspaceStatus.State.GONE)
                    .toList();
        }
    }

    /**
     * Suspends every open workspace; none is closed.
     *
     * @throws WorkspaceFailedException the first failure, with the others suppressed
     */
    @Override
    public void close() {
        List<LazyWorkspace> open;
        synchronized (all) {
            open = List.copyOf(all);
        }
        Optional<WorkspaceException> first = Optional.empty();
        for (LazyWorkspace workspace : open) {
            try {
                workspace.suspend();
            } catch (WorkspaceException fault) {
                first.ifPresent(earlier -> earlier.addSuppressed(fault));
                first = first.or(() -> Optional.of(fault));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }

    /** Collects the providers and options of a registry. Not safe for use by several threads. */
    public static final class Builder {
        private final Map<String, WorkspaceProvider> providers = new TreeMap<>();
        private List<Duration> waits = List.of(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(6));
        private int maxConcurrentOpens = Integer.MAX_VALUE;

        private Builder() {}

        /**
         * Adds a provider.
         *
         * @param value the provider
         * @return this builder
         * @throws IllegalArgumentException if there is one of its kind already
         */
        public Builder provider(WorkspaceProvider value) {
            if (providers.putIfAbsent(value.kind(), value) != null) {
                throw new IllegalArgumentException("two providers have the kind '" + value.kind() + "'");
            }
            return this;
        }

        /**
         * Sets the waits before further attempts after a transient failure.
         *
         * @param value a wait for each further attempt; empty for none
         * @return this builder
         */
        public Builder retryWaits(List<Duration> value) {
            waits = List.copyOf(value);
            return this;
        }

        /**
         * Limits how many workspaces are opened or resolved concurrently.
         *
         * @param value at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder maxConcurrentOpens(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxConcurrentOpens must be at least 1, not " + value);
            }
            maxConcurrentOpens = value;
            return this;
        }

        /** {@return the registry} */
        public WorkspaceRegistry build() {
            return new WorkspaceRegistry(this);
        }
    }
}
