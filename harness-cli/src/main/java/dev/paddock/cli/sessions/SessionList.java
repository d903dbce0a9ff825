package dev.paddock.cli.sessions;

import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.harness.StoredSession;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the sessions of the user, and shows them in lines. */
public final class SessionList {
    /** The word for the most recently used session. */
    public static final String LAST = "last";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());
    private static final int MAX_NAMES = 5;

    private SessionList() {}

    /**
     * Returns all sessions, the last used first.
     *
     * @throws UsageException if they cannot be read
     */
    public static List<StoredSession> all() {
        try {
            return StoredSession.all();
        } catch (UncheckedIOException unreadable) {
            throw new UsageException(Console.text(unreadable));
        }
    }

    /**
     * Finds a session by a word: {@code last}, the beginning of its id, or its directory's path, which contains a slash
     * or exists.
     *
     * @throws UsageException if there is none, or several begin so
     */
    public static StoredSession find(String word, InvocationContext caller) {
        if (word.isBlank()) {
            throw new UsageException("the session lacks its name; 'paddock sessions list' shows them");
        }
        if (word.indexOf('/') >= 0) {
            return at(word, caller);
        }
        List<StoredSession> all = all();
        if (word.equals(LAST) && !all.isEmpty()) {
            return all.getFirst();
        }
        List<StoredSession> found =
                all.stream().filter(one -> one.id().startsWith(word)).toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        if (found.size() > 1) {
            return found.stream()
                    .filter(one -> one.id().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(
                            "several sessions begin with '" + word + "': " + names(found) + "; give more of the id"));
        }
        return isHere(word, caller) ? at(word, caller) : none(word, all);
    }

    private static StoredSession none(String word, List<StoredSession> all) {
        if (all.isEmpty()) {
            throw new UsageException(
                    "there is no session '" + word + "', since there are none yet; 'paddock agent' begins one");
        }
        String nearest = Spelling.nearest(
                        word, all.stream().map(StoredSession::id).toList())
                .map(similar -> "; did you mean " + similar + "?")
                .orElse("");
        throw new UsageException(
                "there is no session '" + word + "'" + nearest + " ('paddock sessions list' shows them)");
    }

    private static boolean isHere(String word, InvocationContext caller) {
        try {
            at(word, caller);
            return true;
        } catch (UsageException none) {
            return false;
        }
    }

    private static StoredSession at(String path, InvocationContext caller) {
        try {
            return StoredSession.at(caller.directory().resolve(path));
        } catch (InvalidPathException noPath) {
            throw new UsageException("not a path: '" + noPath.getInput() + "'");
        } catch (IllegalArgumentException | UncheckedIOException none) {
            throw new UsageException(Console.text(none) + "; 'paddock sessions list' shows those that there are");
        }
    }

    private static String names(List<StoredSession> sessions) {
        return sessions.stream().limit(MAX_NAMES).map(StoredSession::id).collect(Collectors.joining(", "))
                + (sessions.size() > MAX_NAMES ? ", …" : "");
    }

    /**
     * Returns the id of the session in a directory; empty if the session is not in the default
     * directory.
     */
    public static Optional<String> idOf(Path directory) {
        try {
            return StoredSession.all().stream()
                    .filter(one -> one.directory().equals(directory))
                    .map(StoredSession::id)
                    .findFirst();
        } catch (UncheckedIOException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns the sessions that worked in a directory, the last used first. */
    public static List<StoredSession> of(Path worktree) {
        return having(note -> note.workspace().isEmpty()
                && note.worktree().filter(worktree.toString()::equals).isPresent());
    }

    /**
     * Returns the sessions that worked in a workspace, the last used first.
     *
     * @param id the beginning of the workspace's id
     */
    public static List<StoredSession> ofWorkspace(String id) {
        return having(
                note -> note.workspace().filter(whole -> whole.startsWith(id)).isPresent());
    }

    private static List<StoredSession> having(Predicate<SessionNote> property) {
        return all().stream()
                .filter(session -> property.test(SessionNote.of(session)))
                .toList();
    }

    /** Returns when a session was used last, in the caller's time zone. */
    public static String time(Instant instant) {
        return TIME.format(instant);
    }

    /** Returns a session's first prompt in one line. */
    public static String title(StoredSession session, int columns) {
        return Printable.line(session.firstPrompt().orElse("").strip(), columns);
    }
}
