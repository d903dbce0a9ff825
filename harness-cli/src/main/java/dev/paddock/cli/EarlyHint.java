package dev.paddock.cli;

import dev.paddock.harness.tools.hint.CommandHints;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports that the network is off while a command still tries to reach a host: some tools retry for
 * minutes before they fail. A command that ends soon gets the hint only at its end. Thread-safe.
 */
final class EarlyHint {
    /** The most characters of output that are examined, so that long output costs no time. */
    private static final int MAX_EXAMINED = 1 << 20;

    /**
     * How many characters before a block are examined with it, since a message may be split between
     * two blocks.
     */
    private static final int BEFORE = 512;

    private static final long PAUSE_MILLIS = 500;

    private final CommandHints hints;
    private final Consumer<String> announce;
    private int examined;
    private boolean isFound;
    private boolean isEnded;
    private Optional<String> said = Optional.empty();

    /**
     * Creates a hint that has not been given.
     *
     * @param announce shows it; returns at once
     */
    EarlyHint(CommandHints hints, Consumer<String> announce) {
        this.hints = hints;
        this.announce = announce;
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
        hints.meanwhile(end.substring(Math.max(0, end.length() - length - BEFORE)))
                .ifPresent(hint -> {
                    isFound = true;
                    CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                            .execute(() -> say(hint));
                });
    }

    private synchronized void say(String hint) {
        if (!isEnded) {
            said = Optional.of(hint);
            announce.accept(hint);
        }
    }

    /**
     * Returns those hints that were not given before. Called at the command's end, after which no
     * hint is given.
     */
    synchronized List<String> withoutSaid(List<String> atEnd) {
        isEnded = true;
        return atEnd.stream().filter(hint -> !said.equals(Optional.of(hint))).toList();
    }
}
