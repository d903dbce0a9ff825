package dev.paddock.executor;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Chooses one of several backends: the first that its probe finds usable. */
final class BackendChoice {
    /** Has the name of the public class, by which a program configures its messages. */
    private static final Logger LOG = LateLogger.of(ExecutorProviders.class);

    private static final Duration BOUND = Duration.ofSeconds(5);

    /** The bound of the second probe of a backend whose first probe was undecided. */
    private static final Duration LONGER_BOUND = Duration.ofSeconds(30);

    /** The backends whose choice in place of a preferred one has been logged. */
    private static final Set<String> ANNOUNCED = ConcurrentHashMap.newKeySet();

    private BackendChoice() {}

    /** Returns the backends that {@code auto} may choose, the preferred one first. */
    static List<ExecutorProvider> eligible(Map<String, String> settings) {
        return byPriority(
                ExecutorProviders.installed().stream()
                        .filter(provider -> autoPriority(provider, settings).isPresent())
                        .toList(),
                settings);
    }

    /** Returns the settings that a backend of several receives. */
    static Map<String, String> own(Map<String, String> settings, ExecutorProvider provider) {
        Map<String, String> own = new LinkedHashMap<>(settings);
        own.keySet().removeIf(setting -> !provider.hasSetting(setting));
        return own;
    }

    /** Creates an executor of the first usable backend of {@code auto} that has all required guarantees. */
    static CommandExecutor guaranteeing(SandboxPolicy policy, Set<Guarantee> required) {
        List<ExecutorProvider> candidates = eligible(Map.of());
        List<String> refused = new ArrayList<>();
        while (true) {
            ExecutorProvider provider = firstUsable(candidates, Map.of(), refused);
            CommandExecutor executor = provider.create(ExecutorOptions.of(policy));
            Set<Guarantee> lacking = new TreeSet<>(required);
            lacking.removeAll(guaranteesOf(executor));
            if (lacking.isEmpty()) {
                if (refused.isEmpty()) {
                    return executor;
                }
                FallbackProvider fallback = inPlaceOf(refused, provider);
                announce(fallback);
                return fallback.mark(executor);
            }
            executor.close();
            refused.add(provider.name() + ": it does not guarantee "
                    + lacking.stream().map(Guarantee::name).collect(Collectors.joining(", "))
                    + " here with this policy (Require less, or name an executor.)");
            candidates = candidates.subList(candidates.indexOf(provider) + 1, candidates.size());
        }
    }

    /** Returns the guarantees of a new executor; disposes of the executor if that throws. */
    static Set<Guarantee> guaranteesOf(CommandExecutor executor) {
        try {
            return executor.guarantees();
        } catch (RuntimeException | Error fault) {
            try {
                executor.dispose();
            } catch (RuntimeException second) {
                fault.addSuppressed(second);
            }
            throw fault;
        }
    }

    /**
     * Returns the first usable backend, which reports why others were passed over.
     *
     * @throws SandboxUnavailableException if none is usable, or it could not be found out
     */
    static ExecutorProvider firstUsable(List<ExecutorProvider> candidates, Map<String, String> settings) {
        List<String> refused = new ArrayList<>();
        ExecutorProvider provider = firstUsable(candidates, settings, refused);
        if (refused.isEmpty()) {
            return provider;
        }
        FallbackProvider fallback = inPlaceOf(refused, provider);
        announce(fallback);
        return fallback;
    }

    /** Returns the first usable backend; appends to {@code refused} why others were passed over. */
    private static ExecutorProvider firstUsable(
            List<ExecutorProvider> candidates, Map<String, String> settings, List<String> refused) {
        if (candidates.isEmpty() && !settings.isEmpty()) {
            throw new SandboxUnavailableException(
                    ExecutorProviders.AUTO,
                    new Availability.Unusable(
                            "'auto' chooses no sandbox that has these settings: "
                                    + String.join(", ", new TreeSet<>(settings.keySet())),
                            "Name the executor that they belong to, or leave them out."));
        }
        boolean isOnlyOne = candidates.size() == 1 && refused.isEmpty();
        for (ExecutorProvider provider : candidates) {
            // No switch over the types: the JDK generates its classes at each start of a program.
            Map<String, String> own = own(settings, provider);
            Availability found = isOnlyOne ? provider.probe(own, BOUND) : decided(provider, own);
            if (!(found instanceof Availability.Unusable unusable)) {
                return provider;
            }
            if (isOnlyOne) {
                throw new SandboxUnavailableException(provider.name(), unusable);
            }
            if (isUndecided(unusable)) {
                throw new SandboxUnavailableException(ExecutorProviders.AUTO, undecided(provider, unusable));
            }
            refused.add(provider.name() + ": " + unusable.reason() + " (" + unusable.remedy() + ")");
        }
        String tried = refused.isEmpty() ? "no sandbox backend is installed" : String.join("; ", refused);
        throw new SandboxUnavailableException(
                ExecutorProviders.AUTO,
                new Availability.Unusable(
                        "no sandbox can be used here: " + tried,
                        "Make one of them usable, or name the host as the executor to run without isolation."));
    }

    /** Probes a backend; if the first probe is undecided, probes once more with a longer bound. */
    private static Availability decided(ExecutorProvider provider, Map<String, String> settings) {
        Availability first = provider.probe(settings, BOUND);
        return first instanceof Availability.Unusable unusable && isUndecided(unusable)
                ? provider.probe(settings, LONGER_BOUND)
                : first;
    }

    private static boolean isUndecided(Availability.Unusable unusable) {
        return unusable.outlook() == Availability.Outlook.UNDECIDED;
    }

    /**
     * A slow backend is not an unusable one: a weaker one in its place would make the choice depend on
     * the machine's load.
     */
    private static Availability.Unusable undecided(ExecutorProvider provider, Availability.Unusable unusable) {
        return new Availability.Unusable(
                "two probes, the second of " + LONGER_BOUND.toSeconds() + " s, did not show whether "
                        + provider.name() + " can be used: " + unusable.reason()
                        + "; no weaker sandbox is taken in its place",
                "Try again when the machine is less busy, or name the executor. " + unusable.remedy(),
                Availability.Outlook.UNDECIDED);
    }

    private static FallbackProvider inPlaceOf(List<String> refused, ExecutorProvider chosen) {
        return new FallbackProvider(
                chosen,
                "Commands run in " + chosen.name() + ", since a preferred sandbox cannot be used here: "
                        + String.join("; ", refused) + ".");
    }

    /** Logs, once in a process for each chosen backend, why preferred ones were refused. */
    private static void announce(FallbackProvider fallback) {
        if (ANNOUNCED.add(fallback.name())) {
            LOG.log(
                    Level.WARNING,
                    fallback.why() + " To choose " + fallback.name()
                            + " without this message, name it as the executor.");
        }
    }

    /** Returns backends in order of priority; those without one come last. */
    static List<ExecutorProvider> byPriority(List<ExecutorProvider> providers, Map<String, String> settings) {
        return providers.stream()
                .sorted((one, other) -> Integer.compare(priority(one, settings), priority(other, settings)))
                .toList();
    }

    private static int priority(ExecutorProvider provider, Map<String, String> settings) {
        return autoPriority(provider, settings).orElse(Integer.MAX_VALUE);
    }

    private static OptionalInt autoPriority(ExecutorProvider provider, Map<String, String> settings) {
        return provider instanceof BackendUpkeep own ? own.autoPriority(settings) : OptionalInt.empty();
    }
}
