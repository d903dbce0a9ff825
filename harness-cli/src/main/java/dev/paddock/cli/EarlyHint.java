package dev.paddock.cli;

import dev.paddock.harness.tools.hint.CommandHints;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says that the network is off while a command still tries to reach a host: some tools try for minutes before they
 * fail. A command that soon ends gets its hint at its end alone. Thread-safe.
 */
final class EarlyHint {
    /** How much output is examined, in characters: the rest of a long one costs no time. */
    private static final int MAX_EXAMINED = 1 << 20;

    /** How much of the output before a block is examined with it, since a message may come in two. */
    private static final int BEFORE = 512;

    private static final long PAUSE_MILLIS = 500;

    private final CommandHints hints;
    private final Consumer<String> announce;
    private int examined;
    private boolean isFound;
    private boolean isEnded;
    private Optional<String> said = Optional.empty();

    /**
     * Creates a hint that is still to be given.
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
     * @param output the end of the output, which has the part
     * @param length the part's
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

    /** Returns the hints after the command's end that were not given before; gives no more. */
    synchronized List<String> withoutSaid(List<String> atEnd) {
        isEnded = true;
        return atEnd.stream().filter(hint -> !said.equals(Optional.of(hint))).toList();
    }
}
