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

/**
 * Probes the backends and collects the results, also of a backend whose probe fails or does not
 * return.
 */
final class ProbeResults {

    /**
     * Bounds the wait for all probes: twice the time that one backend is allowed, since all of them
     * probe at the same time.
     */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private ProbeResults() {}

    /** Returns whether a backend can be used and confines commands. */
    static boolean isSandbox(Availability found) {
        return found instanceof Availability.Usable usable
                && usable.guarantees().contains(Guarantee.WRITE_CONFINED);
    }

    /** Probes all backends concurrently, and waits for none longer than the patience. */
    static Map<String, Availability> probe(List<ExecutorProvider> providers, Duration patience) {
        Map<String, CompletableFuture<Availability>> asked = new LinkedHashMap<>();
        for (ExecutorProvider provider : providers) {
            asked.put(provider.name(), ask(provider, patience));
        }
        Map<String, Availability> answers = new LinkedHashMap<>();
        asked.forEach((name, answer) -> answers.put(name, answer.join()));
        return answers;
    }

    private static CompletableFuture<Availability> ask(ExecutorProvider provider, Duration patience) {
        CompletableFuture<Availability> answer = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answer.complete(provider.probe());
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
