package dev.paddock.executor;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds the backends on the module path and the class path, and chooses one of them for
 * {@code auto}.
 *
 * @since 0.1
 */
public final class ExecutorProviders {
    /** Names the strongest backend that is usable here; never the host. */
    public static final String AUTO = "auto";

    private static final Logger LOG = LateLogger.of(ExecutorProviders.class);

    private ExecutorProviders() {}

    /**
     * Returns all backends that can be loaded, sorted by name. One that fails to load is logged and
     * skipped.
     *
     * @return the providers; both of two with the same name, which is an installation error
     */
    public static List<ExecutorProvider> installed() {
        List<ExecutorProvider> found =
                services(broken -> LOG.log(Level.WARNING, "A backend could not be loaded and is passed over", broken));
        // The JDK's own comparators are lambdas that no class cache contains; each delays startup by 1 ms.
        found.sort((one, other) -> one.name().compareTo(other.name()));
        return List.copyOf(found);
    }

    /**
     * Loads the backends, with the classes and libraries of their executors. A program that calls this on
     * another thread, while it reads its configuration, has its first executor sooner; nothing else
     * changes. The next lookup reports a backend that fails to load.
     */
    public static void preload() {
        services(later -> {}).forEach(ExecutorProviders::preload);
    }

    private static void preload(ExecutorProvider provider) {
        try {
            if (provider instanceof BackendUpkeep own) {
                own.preload();
            }
        } catch (RuntimeException | LinkageError broken) {
            LOG.log(Level.DEBUG, "A backend could not be preloaded; its executor will fail, or start later", broken);
        }
    }

    private static List<ExecutorProvider> services(Consumer<ServiceConfigurationError> onBroken) {
        List<ExecutorProvider> found = new ArrayList<>();
        Iterator<ExecutorProvider> services =
                ServiceLoader.load(ExecutorProvider.class).iterator();
        while (true) {
            try {
                if (!services.hasNext()) {
                    return found;
                }
                found.add(services.next());
            } catch (ServiceConfigurationError broken) {
                onBroken.accept(broken);
            }
        }
    }

    /**
     * Returns the backend with a name.
     *
     * @param name the name
     * @return the provider
     * @throws IllegalArgumentException if there is none with that name, or more than one; the
     *     message lists the installed ones
     */
    public static ExecutorProvider named(String name) {
        List<ExecutorProvider> all = installed();
        List<ExecutorProvider> matches =
                all.stream().filter(provider -> provider.name().equals(name)).toList();
        if (matches.size() == 1) {
            return matches.get(0);
        }
        if (matches.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no backend named '" + name + "'; installed here: " + names(all));
        }
        throw new IllegalArgumentException("more than one backend is named '" + name + "': "
                + matches.stream()
                        .map(provider -> provider.getClass().getName())
                        .collect(Collectors.joining(", "))
                + "; keep one of them on the class path");
    }

    /**
     * Creates an executor of the backend that a user or a configuration names.
     *
     * @param name as for {@link #choose}
     * @param options the policy, the backend's own settings, and what observes the executor
     * @return the executor; the caller disposes of it
     * @throws IllegalArgumentException as {@link #choose} does, or if a setting is unknown or malformed
     * @throws SandboxUnavailableException if the sandbox is not available
     * @throws UnsupportedPolicyException if the backend cannot enforce the policy, or cannot serve an
     *     option
     */
    public static CommandExecutor open(String name, ExecutorOptions options) {
        ExecutorProvider provider = choose(name, options.settings());
        return provider.create(
                isList(name) ? options.settings(BackendChoice.own(options.settings(), provider)) : options);
    }

    /**
     * Returns the backend that {@link #open} creates an executor of.
     *
     * @param name a backend's name, which is not probed; {@link #AUTO}; or several names separated by
     *     commas, of which the first usable one is chosen as {@link #auto(SandboxPolicy, Map)} does, in
     *     this order
     * @param settings the backends' settings; of several backends each receives those that it has
     * @return the provider
     * @throws IllegalArgumentException as {@link #named} does, or if none of several backends has a
     *     setting
     * @throws SandboxUnavailableException if none is usable, or it could not be found out
     */
    public static ExecutorProvider choose(String name, Map<String, String> settings) {
        if (name.equals(AUTO)) {
            return BackendChoice.firstUsable(BackendChoice.eligible(settings), settings);
        }
        if (!isList(name)) {
            return named(name);
        }
        List<ExecutorProvider> candidates = new ArrayList<>();
        for (String word : name.split(",", -1)) {
            candidates.add(named(word.strip()));
        }
        for (String setting : settings.keySet()) {
            if (candidates.stream().noneMatch(candidate -> candidate.hasSetting(setting))) {
                throw new IllegalArgumentException(
                        "none of the backends " + name + " has the setting '" + setting + "'; leave it out");
            }
        }
        return BackendChoice.firstUsable(candidates, settings);
    }

    private static boolean isList(String name) {
        return name.indexOf(',') >= 0;
    }

    /**
     * Probes the backend that {@link #open} would create an executor of, with a policy and settings.
     *
     * @param name as for {@link #choose}
     * @param policy the grants of the sandbox
     * @param settings the backend's own settings
     * @return as {@link ExecutorProvider#probe(SandboxPolicy, Map)} does; with {@link #AUTO} unusable,
     *     with every attempt as the reason, if no backend is usable
     * @throws IllegalArgumentException as {@link #choose} does, or if a setting is unknown or malformed
     */
    public static Availability probe(String name, SandboxPolicy policy, Map<String, String> settings) {
        try {
            ExecutorProvider provider = choose(name, settings);
            return provider.probe(policy, isList(name) ? BackendChoice.own(settings, provider) : settings);
        } catch (SandboxUnavailableException none) {
            return none.unusable();
        }
    }

    /**
     * Creates an executor of the first usable backend, as {@link #auto(SandboxPolicy, Map)} does without
     * settings.
     *
     * @param policy the grants of the sandbox
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException as {@link #auto(SandboxPolicy, Map)} does
     * @throws UnsupportedPolicyException if the first usable backend cannot enforce the policy
     */
    public static CommandExecutor auto(SandboxPolicy policy) {
        return auto(policy, Map.of());
    }

    /**
     * Creates an executor of the first usable backend that has all guarantees which the caller needs.
     * One whose executor lacks any of them is passed over, which is logged like a refusal.
     *
     * @param policy the grants of the sandbox
     * @param required what the executor has to guarantee with this policy
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if no usable backend has them all, in which case the message
     *     names what each lacks; otherwise as {@link #auto(SandboxPolicy, Map)} does
     * @throws UnsupportedPolicyException if a usable backend cannot enforce the policy; a weaker one is
     *     not tried
     */
    public static CommandExecutor auto(SandboxPolicy policy, Set<Guarantee> required) {
        return BackendChoice.guaranteeing(policy, required);
    }

    /**
     * Creates an executor of the first usable of Paddock's own backends, the strongest first, never of the host.
     *
     * <p>A backend is passed over only if it definitely cannot be used: it or the kernel refuses, or its engine is
     * down. That is logged as a warning, once in a process. A backend that does not answer is probed again, for 30
     * seconds at most, and then the choice fails: a busy machine gets no weaker sandbox than an idle one. A
     * single backend is probed once, since no weaker one could take its place.
     *
     * @param policy the grants of the sandbox
     * @param settings the backends' settings; a setting may make a backend eligible, as
     *     {@code image} does for docker
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException if none is usable, in which case the message names every
     *     attempt; or if it could not be found out whether a backend is usable, which is transient
     * @throws UnsupportedPolicyException if the first usable backend cannot enforce the policy; a
     *     weaker one is not tried
     */
    public static CommandExecutor auto(SandboxPolicy policy, Map<String, String> settings) {
        return open(AUTO, ExecutorOptions.of(policy).settings(settings));
    }

    /**
     * Creates an executor of the first usable one of some backends, in order of priority; those
     * without one come last. A single backend is not probed: its creation fails instead.
     *
     * @param candidates the backends that may be chosen, the host only if it is among them
     * @param options the policy, the backends' settings, and what observes the executor
     * @return the executor; the caller disposes of it
     * @throws SandboxUnavailableException as {@link #auto(SandboxPolicy, Map)} does
     * @throws UnsupportedPolicyException if the first usable backend cannot enforce the policy, or cannot
     *     serve an option; a weaker one is not tried
     */
    public static CommandExecutor auto(List<ExecutorProvider> candidates, ExecutorOptions options) {
        Map<String, String> settings = options.settings();
        return candidates.size() == 1
                ? candidates.get(0).create(options)
                : BackendChoice.firstUsable(BackendChoice.byPriority(candidates, settings), settings)
                        .create(options);
    }

    private static String names(List<ExecutorProvider> providers) {
        return providers.isEmpty()
                ? "none"
                : providers.stream().map(ExecutorProvider::name).collect(Collectors.joining(", "));
    }
}
