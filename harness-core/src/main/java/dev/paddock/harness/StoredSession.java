package dev.paddock.harness;

import dev.paddock.harness.model.Message;
import dev.paddock.harness.store.MessageStore;
import dev.paddock.harness.store.SessionDirectory;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A stored session: its messages and logs can be read and removed without a model. To continue it, pass its
 * {@linkplain #directory() directory} to {@link AgentSessionBuilder#resume}.
 *
 * <p>Do not use it for a session that is open in this JVM: on POSIX systems, reading or removing it releases the lock
 * that keeps other programs out.
 *
 * <p>Immutable; each call reads the directory.
 *
 * @since 0.1
 */
public final class StoredSession {
    private final SessionDirectory store;

    private StoredSession(SessionDirectory store) {
        this.store = store;
    }

    /**
     * Returns this user's sessions in the default directory, {@code $XDG_STATE_HOME/paddock/sessions}.
     *
     * @return the sessions that have a message, the last used first; none if there is no such directory
     * @throws UncheckedIOException if the directory cannot be read
     */
    public static List<StoredSession> all() {
        return SessionDirectory.below(UserState.directory()).stream()
                .map(StoredSession::new)
                .sorted(Comparator.comparing(StoredSession::lastUsed)
                        .thenComparing(StoredSession::id)
                        .reversed())
                .toList();
    }

    /**
     * Returns the session in a directory.
     *
     * @param directory the session's directory
     * @throws IllegalArgumentException if no session is kept there; the message says so
     */
    public static StoredSession at(Path directory) {
        SessionDirectory store = new SessionDirectory(directory.toAbsolutePath().normalize());
        if (!store.hasSession()) {
            throw new IllegalArgumentException("there is no session in " + store.path());
        }
        return new StoredSession(store);
    }

    /** {@return the session's name: the last name of its directory's path} */
    public String id() {
        return String.valueOf(store.path().getFileName());
    }

    /** {@return the session's directory, absolute} */
    public Path directory() {
        return store.path();
    }

    /**
     * {@return when the last message was stored; the epoch if that cannot be determined, as for a session that is being
     * removed}
     */
    public Instant lastUsed() {
        return store.lastChange();
    }

    /**
     * {@return the user's first message; empty if the session begins with another message, or cannot be read} Reads no
     * further.
     */
    public Optional<String> firstPrompt() {
        return MessageStore.firstLine(store.messages())
                .filter(Message.User.class::isInstance)
                .map(message -> ((Message.User) message).text());
    }

    /**
     * Returns the note that a program has {@linkplain AgentSession#keepNote stored} with the
     * session.
     *
     * @return the text, without white space around it; empty if there is none
     * @throws UncheckedIOException if it cannot be read
     */
    public Optional<String> note() {
        return store.note();
    }

    /**
     * Returns the reference of the session's workspace.
     *
     * @return the reference; empty if the session has none
     * @throws UncheckedIOException if it cannot be read
     */
    public Optional<String> workspace() {
        return store.workspace();
    }

    /**
     * Reads the conversation. A last message that a crash has truncated is left out.
     *
     * @return the messages, oldest first
     * @throws UncheckedIOException if they cannot be read
     * @throws IllegalStateException if a line of the file is no message; the message names it
     */
    public List<Message> messages() {
        return MessageStore.read(store.messages());
    }

    /** {@return the session's logs, by name: the outputs of which the messages contain only the end} */
    public List<Path> logs() {
        return store.logFiles();
    }

    /**
     * Removes the session's messages and logs, and its directory if nothing else is in it.
     *
     * @return whether the directory is removed
     * @throws IllegalStateException if a program is using the session
     * @throws UncheckedIOException if a file cannot be removed
     */
    public boolean remove() {
        MessageStore lock = MessageStore.open(store.messages());
        try {
            return store.remove();
        } finally {
            lock.close();
        }
    }
}
