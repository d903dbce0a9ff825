package dev.paddock.cli.doctor;

import dev.paddock.cli.command.Numbers;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Probes the backends and collects the results, even if a probe fails or does not return. */
final class ProbeResults {

    /** Bounds the wait for all probes, which run concurrently: twice the time of a single one. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Bounds the second probe of an undecided backend, as {@code auto} does. */
    static final Duration LONGER = Duration.ofSeconds(30);

    private ProbeResults() {}

    /** Returns whether a backend can be used and confines commands. */
    static boolean isSandbox(Availability found) {
        return found instanceof Availability.Usable usable
                && usable.guarantees().contains(Guarantee.WRITE_CONFINED);
    }

    /** Returns whether a probe was undecided. */
    static boolean isUndecided(@Nullable Availability found) {
        return found instanceof Availability.Unusable unusable && unusable.outlook() == Availability.Outlook.UNDECIDED;
    }

    /**
     * Probes all backends concurrently, and waits for none longer than the patience. Repeats undecided probes with a
     * longer bound: the answer must not depend on the machine's load.
     *
     * @param longer the bound of the second probes
     * @param again called before them, with the backends' names
     */
    static Map<String, Availability> probe(
            List<ExecutorProvider> providers, Duration patience, Duration longer, Consumer<List<String>> again) {
        Map<String, Availability> answers = probe(providers, patience, ExecutorProvider::probe);
        List<ExecutorProvider> undecided = providers.stream()
                .filter(provider -> isUndecided(answers.get(provider.name())))
                .toList();
        if (!undecided.isEmpty()) {
            again.accept(undecided.stream().map(ExecutorProvider::name).toList());
            answers.putAll(probe(undecided, longer.plus(patience), provider -> provider.probe(Map.of(), longer)));
        }
        return answers;
    }

    private static Map<String, Availability> probe(
            List<ExecutorProvider> providers, Duration patience, Function<ExecutorProvider, Availability> probe) {
        Map<String, CompletableFuture<Availability>> asked = new LinkedHashMap<>();
        for (ExecutorProvider provider : providers) {
            asked.put(provider.name(), ask(provider, patience, probe));
        }
        Map<String, Availability> answers = new LinkedHashMap<>();
        asked.forEach((name, answer) -> answers.put(name, answer.join()));
        return answers;
    }

    private static CompletableFuture<Availability> ask(
            ExecutorProvider provider, Duration patience, Function<ExecutorProvider, Availability> probe) {
        CompletableFuture<Availability> answer = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answer.complete(probe.apply(provider));
                    } catch (RuntimeException | Error broken) {
                        answer.complete(new Availability.Unusable(
                                "its probe failed: " + broken, "Reinstall paddock, or report the fault."));
                    }
                },
                "paddock-probe-" + provider.name());
        thread.setDaemon(true);
        thread.start();
        Availability silent = new Availability.Unusable(
                "no answer within " + Numbers.plain(patience) + " s",
                "Try again when the machine is less busy.",
                Availability.Outlook.UNDECIDED);
        return answer.completeOnTimeout(silent, patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
