package dev.paddock.harness.acp;

import dev.paddock.executor.HostApprover;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.EditorBuffers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session that an editor asks for.
 *
 * @since 0.1
 */
public final class AcpOpening {
    /** An editor may be slow to read; an abort cuts the wait short. */
    private static final Duration READERS_PATIENCE = Duration.ofDays(7);

    private final Path cwd;
    private final Optional<String> stored;
    private final List<Server> servers;
    private final EditorApprover approver;
    private final SessionListener listener;
    private final Optional<EditorBuffers> buffers;

    AcpOpening(
            Path cwd,
            Optional<String> stored,
            List<Server> servers,
            EditorApprover approver,
            SessionListener listener,
            Optional<EditorBuffers> buffers) {
        this.cwd = cwd;
        this.stored = stored;
        this.servers = List.copyOf(servers);
        this.approver = approver;
        this.listener = listener;
        this.buffers = buffers;
    }

    /**
     * An MCP server that the editor wants to have started.
     *
     * @param name its name, as the editor's user has written it
     * @param command the program and its arguments
     * @param environment variables for it
     */
    public record Server(String name, List<String> command, Map<String, String> environment) {
        /** Creates a server; the collections are copied. */
        public Server {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Returns the directory that the session works in.
     *
     * @return an absolute path, which may not exist
     */
    public Path cwd() {
        return cwd;
    }

    /**
     * Returns the stored session to resume.
     *
     * @return its {@linkplain AcpSession#id() name}, as the editor gives it; empty for a new session
     */
    public Optional<String> stored() {
        return stored;
    }

    /**
     * Returns the MCP servers whose tools the session is to have, too.
     *
     * @return the servers, which belong in the sandbox
     */
    public List<Server> servers() {
        return servers;
    }

    /**
     * Has the editor show the session, and ask its user. Call it once, before the session is built.
     *
     * @param builder the session's builder, whose approver, listener patience and editor's buffers are set
     * @return the same builder
     */
    public AgentSessionBuilder prepare(AgentSessionBuilder builder) {
        buffers.ifPresent(builder::editorBuffers);
        return builder.approver(approver).listener(listener).listenerPatience(READERS_PATIENCE);
    }

    /**
     * Returns an approver that asks the editor's user about hosts, for {@link
     * dev.paddock.executor.ExecutorOptions#approveHosts}.
     *
     * @return the approver, which denies until the session is open
     */
    public HostApprover hosts() {
        return approver;
    }
}
