package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpAgentSession;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves sessions to one editor over a pair of streams with one message per line, by the Agent
 * Client Protocol: usually a program's standard input and output. Nothing else may write to the
 * output.
 *
 * <p>Up to 32 sessions are open at a time, each at work on one prompt. The editor's user is asked
 * about calls as the session's mode says, and about each call that no sandbox bounds; a question
 * without an answer within an hour counts as denied. One instance serves one editor, once.
 *
 * @since 0.1
 */
public final class AcpServer {
    private static final Duration PATIENCE = Duration.ofHours(1);

    /** By how much the library's timeout exceeds this module's, so that this module reports it. */
    private static final Duration LATER = Duration.ofMinutes(1);

    private final AcpSessions sessions;
    private final AcpSchema.Implementation identity;
    private final Duration patience;
    private final AtomicBoolean served = new AtomicBoolean();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private AcpServer(AcpSessions sessions, AcpSchema.Implementation identity, Duration patience) {
        this.sessions = sessions;
        this.identity = identity;
        this.patience = patience;
    }

    /**
     * Returns a server.
     *
     * @param sessions opens the sessions
     * @param name the program's name as the editor receives it
     * @param version the program's version as the editor receives it
     * @return the server
     */
    public static AcpServer of(AcpSessions sessions, String name, String version) {
        return of(sessions, name, version, PATIENCE);
    }

    /** Returns a server with another time for the answers of the editor's user. */
    static AcpServer of(AcpSessions sessions, String name, String version, Duration patience) {
        return new AcpServer(sessions, new AcpSchema.Implementation(name, version, null), patience);
    }

    /**
     * Serves the editor until it closes its side, the output is broken, or {@link #stop()} is
     * called. Then prompts that are at work are aborted, and all sessions closed.
     *
     * @param input the editor's messages; read on a thread of the server's own, which may stay
     *     blocked in the read
     * @param output receives the server's messages, from a thread of the server's own, which may stay blocked in
     *     the write; not closed
     * @throws IllegalStateException if this has been called before
     */
    public void serve(InputStream input, OutputStream output) {
        if (!served.compareAndSet(false, true)) {
            throw new IllegalStateException("this server has served its editor; make another for the next");
        }
        EditorSessions open = new EditorSessions(sessions, patience);
        AgentRequests requests = new AgentRequests(open, identity);
        EditorConnection connection = new EditorConnection(output, over);
        AcpAgentSession session = requests.connect(connection, patience.plus(LATER));
        open.connect(session);
        try {
            connection.run(input);
        } finally {
            // Before the sessions: this unblocks threads that wait for an answer of the editor.
            session.close();
            open.closeAll();
            requests.close();
            connection.end();
        }
    }

    /** Ends {@link #serve}, also if it has not begun; it returns soon. Idempotent. */
    public void stop() {
        over.complete(null);
    }
}
