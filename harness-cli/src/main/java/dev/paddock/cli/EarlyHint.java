package dev.paddock.cli;

import dev.paddock.harness.tools.hint.CommandHints;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports that the network is off while a command still tries to reach a host: some tools retry for
 * minutes before they fail. A command that ends soon gets the hint only at its end. Thread-safe.
 */
final class EarlyHint {
    /** The limit of examined output, so that long output costs no time. */
    private static final int MAX_EXAMINED = 1 << 20;

    /** How many characters before a block are examined with it: a message may be split between two blocks. */
    private static final int BEFORE = 512;

    private static final long PAUSE_MILLIS = 500;

    private final CommandHints hints;
    private final String networkOff;
    private final Consumer<String> announce;
    private final Set<String> refused = new LinkedHashSet<>();
    private final Set<String> said = new HashSet<>();
    private int examined;
    private boolean isFound;
    private boolean isEnded;

    private EarlyHint(CommandHints hints, String networkOff, Consumer<String> announce) {
        this.hints = hints;
        this.networkOff = networkOff;
        this.announce = announce;
    }

    /**
     * Returns a hint that has not been given.
     *
     * @param announce shows it; returns at once
     * @return empty if the network is not off
     */
    static Optional<EarlyHint> of(CommandHints hints, Consumer<String> announce) {
        return hints.networkOff().map(text -> new EarlyHint(hints, text, announce));
    }

    /**
     * Examines a part of the output.
     *
     * @param output the end of the output, which contains the part
     * @param length the length of the part
     */
    synchronized void see(OutputEnd output, int length) {
        if (isFound || examined > MAX_EXAMINED) {
            return;
        }
        examined += Math.max(length, BEFORE);
        String end = output.text();
        if (hints.meanwhile(end.substring(Math.max(0, end.length() - length - BEFORE)))
                .isPresent()) {
            isFound = true;
            later(() -> say(networkOff));
        }
    }

    /**
     * Records a name that the command has looked up, which programs may repeat silently for minutes.
     *
     * @param message names it, and has the content of {@link CommandHints#networkOff}
     */
    synchronized void refused(String message) {
        if (refused.add(message)) {
            later(() -> say(message));
        }
    }

    private static void later(Runnable task) {
        CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS).execute(task);
    }

    /** Shows a message while the command runs; the general one only if none about a name was shown. */
    private synchronized void say(String message) {
        if (!isEnded && (said.isEmpty() || !message.equals(networkOff))) {
            said.add(message);
            announce.accept(message);
        }
    }

    /**
     * Returns the hints for the command's end, after which no other is given.
     *
     * @param exitCode the command's
     * @param hintsAtEnd those for its output
     * @return those of them that are new; if there are none, the names that a failed command has looked up
     */
    synchronized List<String> atEnd(int exitCode, List<String> hintsAtEnd) {
        isEnded = true;
        if (hintsAtEnd.isEmpty() && exitCode != 0) {
            return refused.stream().filter(message -> !said.contains(message)).toList();
        }
        return hintsAtEnd.stream()
                .filter(hint -> said.isEmpty() || !hint.equals(networkOff))
                .toList();
    }
}
