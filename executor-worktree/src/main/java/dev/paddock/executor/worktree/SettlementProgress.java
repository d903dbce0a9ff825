package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The progress of one settlement: repairs, abandoned paths, and facts about the preceding commands. */
final class SettlementProgress {
    /** A live command is recreating a path that needs more removals. */
    private static final int MAX_REMOVALS = 3;

    /** Maximum sentences in a result, since a model reads them. */
    private static final int MAX_NOTICES = 100;

    /** Maximum characters of a sentence, since commands choose the names and values in it. */
    private static final int MAX_NOTICE_LENGTH = 2_000;

    private static final String AMBIGUOUS =
            "it was changed, by you or by the command, after the session that ran the command was killed";

    private final Optional<KilledSessions> inherited;
    private final Set<String> notices = new LinkedHashSet<>();
    private final Map<Path, Integer> removals = new HashMap<>();
    private final Set<Path> givenUp = new HashSet<>();

    /** The new names of entries that could not be moved out of their directory. */
    private final Set<Path> setAside = new HashSet<>();

    private final Map<Path, String> stuck = new TreeMap<>();

    /**
     * Begins a settlement.
     *
     * @param inherited the changes of killed sessions: other paths are not settled, and a change after their last beat
     *     may be the user's, and is not undone
     */
    SettlementProgress(Optional<KilledSessions> inherited) {
        this.inherited = inherited;
        inherited.ifPresent(left -> givenUp.addAll(left.accepted()));
    }

    boolean covers(Path path) {
        return inherited.isEmpty() || inherited.get().covers(path);
    }

    /** Returns whether a path cannot be settled, or need not be. */
    boolean isGivenUp(Path path) {
        return stuck.containsKey(path)
                || givenUp.contains(path)
                || setAside.stream().anyMatch(path::startsWith)
                || !covers(path);
    }

    /** Abandons a path whose original cannot be restored. */
    void giveUp(Path path) {
        givenUp.add(path);
    }

    /** Abandons an entry that could only be renamed, and all below it. */
    void giveUpBelow(Path path) {
        setAside.add(path);
    }

    /** Records that a path cannot be settled, which poisons the worktree. */
    void stick(Path path, String reason) {
        stuck.put(path, reason);
    }

    boolean isStuck(Path path) {
        return stuck.containsKey(path);
    }

    Map<Path, String> stuck() {
        return stuck;
    }

    /** Counts an attempt to remove a path; returns false, and marks it stuck, after too many. */
    boolean countRemoval(Path path) {
        boolean again = removals.getOrDefault(path, 0) < MAX_REMOVALS;
        if (again) {
            removals.merge(path, 1, Integer::sum);
        } else {
            stick(path, "a live command creates it again each time that it is removed");
        }
        return again;
    }

    /** Returns whether an entry at a path was removed, or could not be, during this settlement. */
    boolean hasRemoved(Path path) {
        return removals.containsKey(path);
    }

    void report(String notice) {
        notices.add(notice);
    }

    /**
     * Returns a sentence for each file that was moved or restored, or that the user should check.
     *
     * @param quarantine named in the sentence about omitted notices
     */
    List<String> notices(Path quarantine) {
        List<String> shown = new ArrayList<>();
        notices.forEach(notice -> shown.add(shortened(notice)));
        if (shown.size() > MAX_NOTICES) {
            shown.subList(MAX_NOTICES, shown.size()).clear();
            shown.add((notices.size() - MAX_NOTICES)
                    + " more protected paths were moved, restored or changed; the moved files are in '"
                    + PathBytes.escaped(quarantine) + "'.");
        }
        return shown;
    }

    private static String shortened(String notice) {
        return notice.length() <= MAX_NOTICE_LENGTH
                ? notice
                : notice.substring(0, MAX_NOTICE_LENGTH) + "... (" + (notice.length() - MAX_NOTICE_LENGTH)
                        + " characters more)";
    }

    /**
     * Abandons a path that changed after the last moment at which commands were surely live: the change may be the
     * user's.
     */
    boolean giveUpIfAmbiguous(Path path) {
        if (!isLaterThanTheCommands(path)) {
            return false;
        }
        if (EntryState.of(path).is(EntryState.Kind.ABSENT)) {
            giveUp(path);
        } else {
            stick(path, AMBIGUOUS);
        }
        return true;
    }

    /** Returns whether a path has changed after the commands of a killed session. */
    boolean isLaterThanTheCommands(Path path) {
        return inherited.filter(left -> changedAt(path) > left.lastBeat(path)).isPresent();
    }

    /** Returns whether a path is unchanged since before the commands of a killed session. */
    boolean isOlderThanTheCommands(Path path) {
        long changed = changedAt(path);
        return inherited
                .filter(left -> changed != 0 && changed + FileStatus.tickOf(changed) < left.since())
                .isPresent();
    }

    private static long changedAt(Path path) {
        Path present = Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? path : Pinned.parentOf(path);
        try {
            FileTime changed = (FileTime) Files.getAttribute(present, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
            return Math.max(changed.toMillis(), Fingerprint.lastChange(path));
        } catch (IOException unreadable) {
            return 0; // made unreadable by a command: users do not do that
        }
    }
}
