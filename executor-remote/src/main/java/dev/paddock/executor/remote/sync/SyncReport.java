package dev.paddock.executor.remote.sync;

import java.util.List;
import java.util.stream.Stream;

/**
 * Reports a synchronization.
 *
 * @param pushed how many paths were changed on the remote side
 * @param pulled how many paths were changed on the host
 * @param notices a sentence for each path that both sides had changed, that is protected, or that could not be written;
 *     at most a few dozen
 */
public record SyncReport(int pushed, int pulled, List<String> notices) {
    /** Nothing had changed. */
    public static final SyncReport NONE = new SyncReport(0, 0, List.of());

    private static final int MAX_NOTICES = 30;

    /** Truncates the list of notices. */
    public SyncReport {
        notices = notices.size() <= MAX_NOTICES
                ? List.copyOf(notices)
                : Stream.concat(
                                notices.stream().limit(MAX_NOTICES),
                                Stream.of("… and " + (notices.size() - MAX_NOTICES) + " more such paths"))
                        .toList();
    }
}
