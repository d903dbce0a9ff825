package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpAgentSession;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.acp.AcpRefusedException.Reason;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.mcp.wire.Threads;
import dev.paddock.harness.tools.EditorBuffers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions that one editor has open. */
final class EditorSessions {
    /** Removed from the newest versions of the protocol; editors of earlier versions send it. */
    static final String SET_MODEL = "session/set_model";

    private static final Logger LOG = LateLogger.of(EditorSessions.class);
    private static final int MAX_OPEN = 32;
    private static final int MAX_LISTED = 100;
    private static final String MODEL = "model";

    private final AcpSessions host;
    private final Duration patience;
    private final Map<String, EditorSession> open = new HashMap<>();

    /** The stored sessions that are being opened. */
    private final Set<String> opening = new HashSet<>();

    private int beingOpened;
    private boolean isClosed;
    private volatile Optional<AcpAgentSession> connection = Optional.empty();
    private volatile boolean hasBuffers;

    EditorSessions(AcpSessions host, Duration patience) {
        this.host = host;
        this.patience = patience;
    }

    /** The request {@link #SET_MODEL}. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record ModelRequest(
            @Nullable String sessionId, @Nullable String modelId) {}

    void connect(AcpAgentSession value) {
        connection = Optional.of(value);
    }

    /** Sets whether the editor can be asked for the texts of files, for the sessions that are opened from now on. */
    void hasBuffers(boolean value) {
        hasBuffers = value;
    }

    Object create(AcpSchema.NewSessionRequest request) {
        EditorSession session =
                open(request.cwd(), Optional.empty(), request.mcpServers(), request.additionalDirectories());
        Map<String, Object> answer = new LinkedHashMap<>(state(session));
        answer.put("sessionId", session.id());
        return answer;
    }

    Object load(AcpSchema.LoadSessionRequest request) {
        EditorSession session =
                stored(request.sessionId(), request.cwd(), request.mcpServers(), request.additionalDirectories());
        session.replay();
        return state(session);
    }

    Object resume(AcpSchema.ResumeSessionRequest request) {
        return state(stored(request.sessionId(), request.cwd(), request.mcpServers(), request.additionalDirectories()));
    }

    private EditorSession stored(
            @Nullable String id,
            @Nullable String cwd,
            @Nullable List<AcpSchema.McpServer> servers,
            @Nullable List<String> directories) {
        String name = Optional.ofNullable(id)
                .orElseThrow(() -> new AcpRefusedException(Reason.INVALID, "'sessionId' is missing"));
        synchronized (this) {
            if (open.containsKey(name) || !opening.add(name)) {
                throw new AcpRefusedException(Reason.INVALID, "the session " + name + " is open already");
            }
        }
        try {
            return open(cwd, Optional.of(name), servers, directories);
        } finally {
            synchronized (this) {
                opening.remove(name);
            }
        }
    }

    private EditorSession open(
            @Nullable String cwd,
            Optional<String> stored,
            @Nullable List<AcpSchema.McpServer> servers,
            @Nullable List<String> directories) {
        if (directories != null && !directories.isEmpty()) {
            throw new AcpRefusedException(
                    Reason.INVALID,
                    "further directories are granted by 'mounts' in your paddock.yaml alone: leave out"
                            + " 'additionalDirectories'");
        }
        EditorApprover approver = new EditorApprover();
        Watcher watcher = new Watcher();
        BufferRequests buffers = new BufferRequests(patience);
        AcpOpening asked = new AcpOpening(
                directory(cwd),
                stored,
                ServerRequests.read(servers),
                approver,
                watcher,
                Optional.<EditorBuffers>of(buffers).filter(unused -> hasBuffers));
        admit();
        try {
            AcpSession opened = host.open(asked);
            EditorClient client = new EditorClient(connection.orElseThrow(), patience, opened.id());
            buffers.connect(client);
            EditorUpdates updates =
                    new EditorUpdates(client, Optional.of(opened.session().worktree()));
            EditorSession session = new EditorSession(opened, client, updates, approver);
            watcher.session = Optional.of(session);
            approver.connect(session);
            register(session);
            return session;
        } finally {
            left();
        }
    }

    /** Passes a session's events on, from the moment at which the editor's session exists. */
    private static final class Watcher implements SessionListener {
        private volatile Optional<EditorSession> session = Optional.empty();

        @Override
        public void onEvent(SessionEvent event) {
            session.ifPresent(one -> one.onEvent(event));
        }
    }

    private static Path directory(@Nullable String cwd) {
        try {
            Optional<Path> path = Optional.ofNullable(cwd).map(Path::of).filter(Path::isAbsolute);
            return path.orElseThrow(
                    () -> new AcpRefusedException(Reason.INVALID, "'cwd' is no absolute path: '" + cwd + "'"));
        } catch (InvalidPathException noPath) {
            throw new AcpRefusedException(Reason.INVALID, "'cwd' is no path: '" + cwd + "'");
        }
    }

    private synchronized void admit() {
        if (isClosed) {
            throw new AcpRefusedException(Reason.FAILED, "the connection is being closed");
        }
        if (open.size() + beingOpened >= MAX_OPEN) {
            throw new AcpRefusedException(
                    Reason.INVALID, MAX_OPEN + " sessions are open, the most there may be: close one of them");
        }
        beingOpened++;
    }

    private synchronized void left() {
        beingOpened--;
        notifyAll();
    }

    private void register(EditorSession session) {
        synchronized (this) {
            if (!isClosed) {
                open.put(session.id(), session);
                return;
            }
        }
        session.close();
        throw new AcpRefusedException(Reason.FAILED, "the connection is being closed");
    }

    /**
     * Returns an open session.
     *
     * @throws AcpRefusedException if there is none of that name
     */
    synchronized EditorSession find(@Nullable String id) {
        EditorSession session = id == null ? null : open.get(id);
        if (session == null) {
            throw new AcpRefusedException(Reason.NOT_FOUND, "no session '" + id + "' is open; load it, or make one");
        }
        return session;
    }

    Object list(AcpSchema.ListSessionsRequest request) {
        Optional<Path> cwd = Optional.ofNullable(request.cwd()).map(EditorSessions::directory);
        List<String> left;
        synchronized (this) {
            left = new ArrayList<>(open.keySet());
            left.addAll(opening);
        }
        List<AcpSchema.SessionInfo> found = host.stored(cwd, left).stream()
                .limit(MAX_LISTED)
                .map(one -> new AcpSchema.SessionInfo(
                        one.id(),
                        one.cwd().toString(),
                        Shown.line(one.title()),
                        one.lastUsed().toString(),
                        null,
                        null))
                .toList();
        return Map.of("sessions", found);
    }

    Object close(AcpSchema.CloseSessionRequest request) {
        EditorSession session = find(request.sessionId());
        synchronized (this) {
            open.remove(session.id());
        }
        session.close();
        return Map.of();
    }

    Object mode(AcpSchema.SetSessionModeRequest request) {
        EditorSession session = find(request.sessionId());
        AskMode mode = AskMode.of(String.valueOf(request.modeId()))
                .orElseThrow(() -> new AcpRefusedException(
                        Reason.INVALID,
                        "there is no mode '" + request.modeId() + "', only " + String.join(", ", AskMode.ids())));
        session.approver().mode(mode);
        return Map.of();
    }

    Object model(ModelRequest request) {
        model(find(request.sessionId()), String.valueOf(request.modelId()));
        return Map.of();
    }

    private static void model(EditorSession session, String name) {
        if (!session.opened().models().containsKey(name)) {
            throw new AcpRefusedException(Reason.INVALID, "the session has no model '" + name + "'");
        }
        session.opened().model(name);
    }

    Object option(AcpSchema.SetSessionConfigOptionRequest request) {
        EditorSession session = find(request.sessionId());
        if (!MODEL.equals(request.configId())) {
            throw new AcpRefusedException(
                    Reason.INVALID, "there is no option '" + request.configId() + "', only '" + MODEL + "'");
        }
        model(session, String.valueOf(request.value()));
        return Map.of("configOptions", options(session));
    }

    /** Returns the modes, and the models in the protocol's current form and in its earlier one. */
    private static Map<String, Object> state(EditorSession session) {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("modes", session.approver().mode().state());
        session.opened().model().ifPresent(current -> {
            List<Map<String, String>> all = session.opened().models().entrySet().stream()
                    .map(one -> Map.of("modelId", one.getKey(), "name", one.getValue()))
                    .toList();
            state.put("models", Map.of("currentModelId", current, "availableModels", all));
            state.put("configOptions", options(session));
        });
        return state;
    }

    /**
     * Built by hand: for values in a map, Jackson does not write the discriminator {@code type}.
     */
    private static List<Map<String, Object>> options(EditorSession session) {
        List<Map<String, String>> choices = session.opened().models().entrySet().stream()
                .map(one -> Map.of("value", one.getKey(), "name", one.getValue()))
                .toList();
        return session.opened().model().stream()
                .map(current -> Map.<String, Object>of(
                        "type",
                        "select",
                        "id",
                        MODEL,
                        "name",
                        "Model",
                        "category",
                        MODEL,
                        "currentValue",
                        current,
                        "options",
                        choices))
                .toList();
    }

    /** Closes all sessions, at the same time, and those that are being opened as soon as they are. */
    void closeAll() {
        List<EditorSession> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(open.values());
            open.clear();
        }
        List<Thread> closing = all.stream()
                .map(session -> Threads.daemon("acp-close", () -> closeQuietly(session)))
                .toList();
        closing.forEach(Thread::start);
        boolean interrupted = false;
        for (Thread one : closing) {
            while (one.isAlive()) {
                try {
                    one.join();
                } catch (InterruptedException hurried) {
                    interrupted = true; // the sessions' own deadlines bound the wait
                }
            }
        }
        awaitOpenings();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(EditorSession session) {
        try {
            session.close();
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "The session " + session.id() + " was closed with a fault", fault);
        }
    }

    /** The opening of a sandbox is bounded by its own deadlines. */
    private synchronized void awaitOpenings() {
        boolean interrupted = false;
        while (beingOpened > 0) {
            try {
                wait();
            } catch (InterruptedException hurried) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
